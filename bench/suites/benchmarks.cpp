// Lists all benchmarks explicitly, because the linker drops objects of a library that nothing refers to.
#include "bench/suites/benchmarks.hpp"

#include <algorithm>
#include <array>

namespace duomap::apps {

std::span<const benchmark* const> all_benchmarks() {
  static const std::array benchmarks = {
      &aggregate_benchmark, &commands_benchmark,      &compressed_benchmark, &dense_benchmark,
      &gpus_benchmark,      &invertedindex_benchmark, &kmeans_benchmark,     &knn_benchmark,
      &loops_benchmark,     &matmul_benchmark,        &naivebayes_benchmark, &pageviewcount_benchmark,
      &pca_benchmark,       &scheduling_benchmark,    &similarity_benchmark, &stringmatch_benchmark,
      &svmtrain_benchmark,  &unseen_benchmark,        &wordcount_benchmark};
  return benchmarks;
}

const benchmark* find_benchmark(std::string_view name) {
  const auto benchmarks = all_benchmarks();
  const auto found =
      std::ranges::find(benchmarks, name, [](const benchmark* candidate) { return candidate->name; });
  return found == benchmarks.end() ? nullptr : *found;
}

}  // namespace duomap::apps
