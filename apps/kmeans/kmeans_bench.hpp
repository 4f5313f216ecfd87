// The benchmark of k-means: a step and whole runs, against a plain loop and scikit-learn on the CPU, and on
// GPUs. host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_kmeans_bench_options(CLI::App& command);
void bench_kmeans(run_control& control);

}  // namespace duomap::apps
