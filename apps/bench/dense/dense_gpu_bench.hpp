// The benchmark of dense keys on a GPU, with the data in its memory.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <cstdint>
#include <vector>

namespace duomap::apps {

struct dense_bench_sizes {
  std::uint64_t pairs = std::uint64_t{1} << 28;
  std::uint64_t points = std::uint64_t{1} << 24;
  unsigned rounds = 15;
};

/// Sums by key for several numbers of keys and distributions, and the k-means step for several numbers of
/// centres, on the first GPU: medians of a whole step, from the start of its first kernel to the end of its
/// last, beside the time that reading the same bytes takes in this run. Every answer is compared with the
/// CPU's.
/// @throws device_unavailable when there is no GPU; error when an answer is wrong; interrupted
[[nodiscard]] std::vector<bench_table> bench_dense_on_gpu(const dense_bench_sizes& sizes,
                                                          const run_control& control);

}  // namespace duomap::apps
