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

/// The values of the options that describe a table, as written on the command line.
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
  bool allow_non_finite = false;             ///< has no option: the application sets it
  table_advice advice = table_advice::none;  ///< the options that a message about a bad row may recommend
};

/// Chooses the options that only some commands have.
struct table_flag_set {
  bool label = false;  ///< --label and --labels
};

/// Adds --input-format, --delimiter, --header, --columns, --leave-out, --symbols and --bad-rows; `flags` must
/// outlive the parsing.
void add_table_flags(CLI::App& command, table_flags& flags, const table_flag_set& with = {});

/// Returns the first option for tables whose value differs from its default; empty if there is none.
[[nodiscard]] std::string changed_option(const table_flags& flags);

/// Translates the flags of a run into the options of read_table().
/// @throws usage_error naming an option whose value makes no sense
[[nodiscard]] table_options table_options_of(const run_context& context, const table_flags& flags = {});

/// The number of a table's rows that a run uses: all, or the rows in options.first_bytes. Sets
/// context.table_bytes.
[[nodiscard]] std::uint64_t used_rows(run_context& context, std::uint64_t rows, std::uint64_t row_bytes);

}  // namespace duomap::apps
