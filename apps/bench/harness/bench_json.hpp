// Benchmark runs as JSON: how they are saved, loaded, and sent from the process that measured.
// host only
#pragma once

#include "apps/bench/harness/bench_run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The run as indented JSON, a newline at its end; load_run() of it gives the same run. Names that are no
/// UTF-8 have U+FFFD where they are not.
[[nodiscard]] std::string json_of(const bench_run& run);

/// The saved run that `text` is. @throws input_error naming `where` it is from, the place and what is wrong
[[nodiscard]] bench_run parse_run(std::string_view text, const std::string& where);

/// The saved run in a file. @throws input_error when it cannot be read or is none
[[nodiscard]] bench_run load_run(const std::string& path);

/// The same for tables alone.
[[nodiscard]] std::string json_of(const std::vector<bench_table>& tables);
[[nodiscard]] std::vector<bench_table> parse_tables(std::string_view text, const std::string& where);

}  // namespace duomap::apps
