// The benchmark of k-means: a step and whole runs, against a plain loop and scikit-learn on the CPU, and on
// GPUs. host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_kmeans_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_kmeans(const bench_context& context);

}  // namespace duomap::apps
