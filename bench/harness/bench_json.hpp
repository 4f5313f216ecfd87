// Saves and loads benchmark runs as JSON, and passes tables from the measuring process to its parent.
// host only
#pragma once

#include "bench/harness/bench_run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The run as indented JSON that ends in a newline; load_run() gives back the same run. Bytes that are not
/// UTF-8 become U+FFFD.
[[nodiscard]] std::string json_of(const bench_run& run);

/// Parses a saved run. @throws input_error that names the text's origin `where`, the place and the problem
[[nodiscard]] bench_run parse_run(std::string_view text, const std::string& where);

/// Loads a saved run. @throws input_error when the file cannot be read or does not hold a saved run
[[nodiscard]] bench_run load_run(const std::string& path);

/// Writes and parses tables without a run.
[[nodiscard]] std::string json_of(const std::vector<bench_table>& tables);
[[nodiscard]] std::vector<bench_table> parse_tables(std::string_view text, const std::string& where);

}  // namespace duomap::apps
