// Where k-means puts its origin, and the grid on which it adds coordinates up.
// host only
#pragma once

#include "apps/algorithms/kmeans/column_extremes.hpp"
#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/result.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// For each column a shift, a round number near the mean of some of its numbers, and a unit, a power of two.
/// Numbers less the shift are sums of at most 2^41 units, and less where there are more points than 2^18, so
/// that the sum of all of them fits into 60 bits: with 10^8 points a coordinate is rounded by at most 2^-33
/// of the largest one of its column.
template <class T>
struct point_grid {
  std::vector<T> shift;
  std::vector<double> units;
  /// Half of the bits of the numbers on the grid, rounded up: a part of either half is at most
  /// 2^(low_bits - 1).
  std::uint32_t low_bits = 0;
};

/// The grid of all points, of which there is one at least; the same for any number of workers. `Points`: a
/// matrix_view or a gpu_matrix of T. `extremes`: of all points.
/// @throws input_error naming the first row (from 0) that has a NaN or an infinity; usage_error when squared
/// distances are too large or too small for T
template <class T, class Points>
[[nodiscard]] point_grid<T> grid_of(const Points& points, const result_for<column_extremes<T>>& extremes,
                                    worker_pool& pool);

/// The same, whose extremes the CPU finds.
template <class T>
[[nodiscard]] point_grid<T> grid_of(matrix_view<T> points, worker_pool& pool);

}  // namespace duomap
