// Clusters points by plain loops over points, centres and dimensions. The loops are the oracle of tests, and
// the baseline of the benchmark, in place of Phoenix++.
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

/// Squared distances are sums of squared differences, in T. Of equally near centres, the first wins.
template <class T>
[[nodiscard]] plain_sums plain_step(matrix_view<T> points, matrix_view<double> centres);

extern template plain_sums plain_step(matrix_view<float> points, matrix_view<double> centres);
extern template plain_sums plain_step(matrix_view<double> points, matrix_view<double> centres);

namespace apps {

struct lloyd_clusters {
  matrix<double> centres;
  std::vector<std::uint64_t> sizes;  ///< points whose nearest centre this is
};

/// Runs `iterations` iterations of Lloyd's algorithm, and one more pass for the sizes, as duomap's k-means
/// does. A cluster that loses all its points keeps its centre.
[[nodiscard]] lloyd_clusters lloyd_in_loops(matrix_view<float> points, matrix_view<double> first_centres,
                                            std::uint32_t iterations);

}  // namespace apps

}  // namespace duomap
