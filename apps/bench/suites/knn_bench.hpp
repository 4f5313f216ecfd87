// The benchmark of k nearest neighbours: against scikit-learn and a plain loop on the CPU, and on GPUs.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_knn_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_knn(const bench_context& context);

}  // namespace duomap::apps
