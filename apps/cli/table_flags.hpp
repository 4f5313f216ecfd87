// The options of commands that read files of numbers.
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "apps/cli/app.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What the command line says of such files, as it says it.
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
  bool allow_non_finite = false;             ///< no option: what the application takes
  table_advice advice = table_advice::none;  ///< which of these options the application has
};

/// Which of the options a command has that not every one needs.
struct table_flag_set {
  bool label = false;  ///< --label and --labels
};

/// Adds --input-format, --delimiter, --header, --columns, --leave-out, --symbols and --bad-rows; `flags` must
/// outlive the parsing.
void add_table_flags(CLI::App& command, table_flags& flags, const table_flag_set& with = {});

/// The first of these options that was not left as it is, or nothing.
[[nodiscard]] std::string changed_option(const table_flags& flags);

/// What read_table() takes for these flags in a run.
/// @throws usage_error naming an option whose value makes no sense
[[nodiscard]] table_options table_options_of(const run_context& context, const table_flags& flags = {});

/// How many of a table's rows a run uses: all, or those in options.first_bytes. Sets context.table_bytes.
[[nodiscard]] std::uint64_t used_rows(run_context& context, std::uint64_t rows, std::uint64_t row_bytes);

/// A sentence when all numbers of a table are 0 in float32, as those below 7e-46 are; else nothing.
template <class T>
[[nodiscard]] std::string note_on_zeros(const matrix_view<T>& numbers) {
  const auto values = numbers.values();
  if (sizeof(T) > sizeof(float) || values.empty() ||
      std::ranges::any_of(values, [](T one) { return one != 0; }))
    return {};
  return "all numbers are 0 in float32, where less than 7e-46 is 0; --float64 reads smaller ones";
}

}  // namespace duomap::apps
