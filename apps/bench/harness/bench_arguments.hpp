// A benchmark with arguments that nobody typed: what suites are lists of.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// What `duomap bench NAME ARGUMENT...` measures. Options stay set in this process, as if they had been
/// typed.
/// @throws usage_error when there is no such benchmark, or it does not take these arguments; and what it
/// throws
[[nodiscard]] std::vector<bench_table> bench_with_arguments(std::string_view benchmark_name,
                                                            std::vector<std::string> arguments,
                                                            const bench_context& context);

}  // namespace duomap::apps
