// A step of k-means as one writes it first: a loop over points, centres and dimensions. Baseline of the
// benchmark, where it stands in for Phoenix++, and oracle of tests.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

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

}  // namespace duomap
