// The benchmark of the scheduler: its options, and what it measures in which order.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_scheduling_bench_options(CLI::App& command);

/// Measures what the options ask for.
/// @throws error when two runs gave different answers; device_unavailable when the matrix is asked for by
/// name and there is no GPU; interrupted, and what running the tasks throws
[[nodiscard]] std::vector<bench_table> bench_scheduling(const bench_context& context);

}  // namespace duomap::apps
