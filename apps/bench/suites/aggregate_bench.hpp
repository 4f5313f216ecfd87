// The benchmark of sums by key on a GPU.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_aggregate_bench_options(CLI::App& command);

/// Measures sums by key of pairs that are in device memory, beside CUB's sort and reduce-by-key, and from a
/// mapped file to the result in host memory; checks every sum of every run's last answer.
/// @throws device_unavailable when there is no GPU; error when a sum is wrong; interrupted
[[nodiscard]] std::vector<bench_table> bench_aggregate(const bench_context& context);

}  // namespace duomap::apps
