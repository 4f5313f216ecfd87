// Runs a benchmark with arguments that a suite gives and not a user.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Measures `duomap bench NAME ARGUMENT...` and returns its tables. The options stay set in this process, as
/// if a user had typed them.
/// @throws usage_error when there is no such benchmark, or it does not take these arguments; any exception of
/// the benchmark
[[nodiscard]] std::vector<bench_table> bench_with_arguments(std::string_view benchmark_name,
                                                            std::vector<std::string> arguments,
                                                            const bench_context& context);

}  // namespace duomap::apps
