// The benchmark of the scheduler: its options, and what it measures in which order.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_scheduling_bench_options(CLI::App& command);

/// Measures what the options ask for and writes tables in Markdown.
/// @throws error when two runs gave different answers; device_unavailable when the matrix is asked for by
/// name and there is no GPU; interrupted, and what running the tasks throws
void bench_scheduling(run_control& control);

}  // namespace duomap::apps
