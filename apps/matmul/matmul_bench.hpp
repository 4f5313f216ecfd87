// `duomap bench matmul`: against OpenBLAS on the CPU, against cuBLAS on a GPU.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_matmul_bench_options(CLI::App& command);

/// Writes the table. @throws error when two answers differ
void bench_matmul(run_control& control);

}  // namespace duomap::apps
