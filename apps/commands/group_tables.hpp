// The part of `aggregate` that groups the rows of tables.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/options.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// The options for tables, as the user gives them.
struct group_flags {
  std::vector<std::string> by;
  std::vector<given_text> aggregates;
  std::vector<std::string> where;
  std::vector<std::string> types;
  std::string input_format = "auto";
  std::string delimiter = "auto";
  std::string quote = "\"";
  std::string header = "auto";
  std::string quoted_lines = "auto";
  std::string comment = "none";
  bool decimal_comma = false;
  std::vector<std::string> missing;
  std::string bad_rows = "error";

  /// Whether any option of tables was given.
  /// @throws usage_error when aggregates, types or a condition were given without --by
  [[nodiscard]] bool asks_for_groups() const;
};

void add_group_flags(CLI::App& command, group_flags& into);

/// Groups the rows of the input's tables, in whole or in parts, and writes the answer.
[[nodiscard]] run_report group_tables(run_context& context, const group_flags& flags);

}  // namespace duomap::apps
