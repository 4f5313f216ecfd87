// A plain program for k-means: what duomap is measured against, and what its centres are compared with.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

#include <cstdint>
#include <vector>

namespace duomap::apps {

struct lloyd_clusters {
  matrix<double> centres;
  std::vector<std::uint64_t> sizes;  ///< points whose nearest centre it is
};

/// So many iterations of Lloyd's algorithm by loops on one thread (apps/bench/baselines/plain_step.hpp), then
/// the sizes for the centres that came out: as many passes as duomap's k-means makes. A cluster that loses
/// all its points keeps its centre.
[[nodiscard]] lloyd_clusters lloyd_in_loops(matrix_view<float> points, matrix_view<double> first_centres,
                                            std::uint32_t iterations);

}  // namespace duomap::apps
