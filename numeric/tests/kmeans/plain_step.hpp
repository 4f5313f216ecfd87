// Clusters points by loops over points, centres and dimensions, as one writes k-means first. It is the
// baseline of the benchmark, where it stands in for Phoenix++, and the oracle of tests.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

struct plain_sums {
  std::vector<std::uint64_t> sizes;
  std::vector<double> sums;  ///< a row for each centre
  double inertia = 0;
};

/// Squared distances are sums of squared differences, in T; of equally near centres the first counts.
template <class T>
[[nodiscard]] plain_sums plain_step(matrix_view<T> points, matrix_view<double> centres);

extern template plain_sums plain_step(matrix_view<float> points, matrix_view<double> centres);
extern template plain_sums plain_step(matrix_view<double> points, matrix_view<double> centres);

namespace apps {

struct lloyd_clusters {
  matrix<double> centres;
  std::vector<std::uint64_t> sizes;  ///< points whose nearest centre it is
};

/// So many iterations of Lloyd's algorithm by such steps, then the sizes for the centres that came out: as
/// many passes as duomap's k-means makes. A cluster that loses all its points keeps its centre.
[[nodiscard]] lloyd_clusters lloyd_in_loops(matrix_view<float> points, matrix_view<double> first_centres,
                                            std::uint32_t iterations);

}  // namespace apps

}  // namespace duomap
