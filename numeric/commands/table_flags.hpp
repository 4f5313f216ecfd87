// Adds the options of commands that read files of numbers.
#pragma once

#include "apps/cli/app.hpp"
#include "numeric/common/table_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The values of these options, as the command line has them.
struct table_flags {
  std::string format = "auto";
  std::string delimiter = "auto";
  std::string header = "auto";
  std::string label = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> leave_out = {};
  std::string symbols = "error";
  std::string rows = "error";
  std::string labels_path = {};
  bool allow_non_finite = false;             ///< no option; set by the application
  table_advice advice = table_advice::none;  ///< the options among these that the application has
};

/// The options that not every command has.
struct table_flag_set {
  bool label = false;  ///< --label and --labels
};

/// Adds --input-format, --delimiter, --header, --columns, --leave-out, --symbols and --bad-rows; `flags` must
/// outlive the parsing.
void add_table_flags(CLI::App& command, table_flags& flags, const table_flag_set& with = {});

/// The first of these options that differs from its default, or nothing.
[[nodiscard]] std::string changed_option(const table_flags& flags);

/// The options of read_table() for these flags in a run.
/// @throws usage_error naming an option whose value makes no sense
[[nodiscard]] table_options table_options_of(const run_context& context, const table_flags& flags = {});

/// The number of a table's rows that a run uses: all, or the rows in options.first_bytes. Sets
/// context.table_bytes.
[[nodiscard]] std::uint64_t used_rows(run_context& context, std::uint64_t rows, std::uint64_t row_bytes);

}  // namespace duomap::apps
