// `duomap bench similarity`: against NumPy on the CPU, and on a GPU.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_similarity_bench_options(CLI::App& command);

/// Writes the table. @throws error when two answers differ
void bench_similarity(run_control& control);

}  // namespace duomap::apps
