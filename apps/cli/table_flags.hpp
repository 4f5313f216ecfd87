// The options of commands that read files of numbers.
#pragma once

#include "apps/numeric/table_options.hpp"

#include <string>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What the command line says of tables, as it says it.
struct table_flags {
  std::string format = "auto";
  std::string delimiter = "auto";
  std::string header = "auto";
  std::string label;
  std::string columns;
  std::string leave_out;
  std::string symbols = "error";
  std::string rows = "error";
  std::string labels_path;
  bool allow_non_finite = false;
};

/// Which options a command has besides those that each command has.
struct table_flag_set {
  bool label = false;  ///< --label, and --labels FILE for formats without labels
};

/// Adds --input-format, --delimiter, --header, --columns, --leave-out, --symbols, --bad-rows and
/// --allow-non-finite; `flags` must outlive the parsing.
void add_table_flags(CLI::App& command, table_flags& flags, const table_flag_set& with = {});

/// The options that read_table() takes. @throws usage_error naming an option whose value makes no sense
[[nodiscard]] table_options table_options_of(const table_flags& flags);

}  // namespace duomap::apps
