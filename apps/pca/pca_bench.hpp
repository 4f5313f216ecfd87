// The benchmark of principal component analysis: covariances, against OpenBLAS and NumPy on the CPU and
// against reading the data on a GPU. host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_pca_bench_options(CLI::App& command);
void bench_pca(run_control& control);

}  // namespace duomap::apps
