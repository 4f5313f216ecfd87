// The benchmark of k nearest neighbours: against scikit-learn and a plain loop on the CPU, and on GPUs.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_knn_bench_options(CLI::App& command);
void bench_knn(run_control& control);

}  // namespace duomap::apps
