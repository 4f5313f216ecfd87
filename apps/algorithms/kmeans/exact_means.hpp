// The means of clusters of doubles, as exact as doubles are.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <span>

namespace duomap {

/// A row for each cluster: the mean of its points, rounded once. A cluster without points has zeros.
///
/// Coordinates are added up as integers of 124 bits, in units of 2^-92 of the power of two above the column's
/// largest absolute value: the same bits for any number of workers, and a point alone is its mean, down to
/// 2^-39 of that value. Fewer than 2^32 points.
/// @throws interrupted, out_of_memory
[[nodiscard]] matrix<double> exact_means(matrix_view<double> points,
                                         std::span<const std::uint32_t> cluster_of_point,
                                         std::uint32_t clusters, worker_pool& pool,
                                         const run_control* control);

}  // namespace duomap
