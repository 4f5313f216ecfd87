// The benchmark of principal component analysis: covariances, against OpenBLAS and NumPy on the CPU and
// against reading the data on a GPU. host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_pca_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_pca(const bench_context& context);

}  // namespace duomap::apps
