// Computes the means of clusters of doubles, as exactly as a double can hold them.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <span>

namespace duomap {

/// Returns one row for each cluster: the mean of its points, rounded once. A cluster without points gets
/// zeros.
///
/// Coordinates are added up as integers of 124 bits. The unit is 2^-92 times the power of two above the
/// largest absolute value of the column in the cluster. So any number of workers gives the same bits, and the
/// mean of a single point is that point. The error of a mean is at most its rounding plus one unit. Takes
/// fewer than 2^32 points.
/// @throws interrupted, out_of_memory
[[nodiscard]] matrix<double> exact_means(matrix_view<double> points,
                                         std::span<const std::uint32_t> cluster_of_point,
                                         std::uint32_t clusters, worker_pool& pool,
                                         const run_control* control);

}  // namespace duomap
