// Chooses the origin of k-means, and the grid on which k-means adds up coordinates.
// host only
#pragma once

#include "core/result.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/kmeans/column_extremes.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// The grid of fixed-point numbers for the sums of k-means. Each column has a shift and a unit. The shift is
/// a round number near the mean of a sample of the column. The unit is a power of two. A shifted number is at
/// most 2^41 units. With more than 2^18 points the limit is lower, so that a sum over all points fits into 60
/// bits. With 10^8 points, rounding changes a coordinate by at most 2^-33 of the largest shifted number of
/// its column.
template <class T>
struct point_grid {
  std::vector<T> shift;
  std::vector<double> units;
  /// Half of the bits of a number on the grid, rounded up. Either half is at most 2^(low_bits - 1).
  std::uint32_t low_bits = 0;
  /// A shifted number is at most 2^bits units.
  std::uint32_t bits = 0;
};

/// Makes the grid of all points, at least one. Any number of workers gives the same grid. `Points`: a
/// matrix_view or a gpu_matrix of T. `extremes`: the extremes of all points.
/// @throws input_error naming the first row (from 0) with a NaN or an infinity; usage_error when squared
/// distances are too large or too small for T
template <class T, class Points>
[[nodiscard]] point_grid<T> grid_of(const Points& points, const result_for<column_extremes<T>>& extremes,
                                    worker_pool& pool);

/// Makes the grid of points in host memory: finds the extremes on the CPU first.
template <class T>
[[nodiscard]] point_grid<T> grid_of(matrix_view<T> points, worker_pool& pool);

}  // namespace duomap
