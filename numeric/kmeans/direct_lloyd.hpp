// Runs Lloyd's algorithm by differences of coordinates, for points that sums on a grid cannot tell apart.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// The result of cluster_directly(). The inertia is that of these centres and labels.
struct direct_clusters {
  matrix<double> centers;
  std::vector<std::uint32_t> labels;
  double inertia = 0;
  std::uint32_t iterations = 0;
  bool converged = false;
  /// The number of points off their centre whose squared distance, beside the largest one, is rounded to 0.
  std::uint64_t lost = 0;
};

/// The sum of the squared distances of all points to the centres of their labels. Differences, squares and
/// sums are rounded in double: with n points of d dimensions the relative error is at most (d + n / 2048 +
/// 2056) units of 2^-53. Any number of workers gives the same bits. @throws interrupted
[[nodiscard]] double inertia_of(matrix_view<double> points, const matrix<double>& centres,
                                std::span<const std::uint32_t> labels, worker_pool& pool,
                                const run_control* control);

/// Clusters points as kmeans() does, starting from the centres `first`. Squared distances are sums of squared
/// differences, scaled by a power of two: the relative error of each is at most (d + 3) units of 2^-53,
/// wherever the points lie. exact_means() computes the means. The tolerance is relative to the mean of the
/// variances within the clusters. Takes about twice the time of kmeans() on the CPU. @throws interrupted
[[nodiscard]] direct_clusters cluster_directly(matrix_view<double> points, matrix<double> first,
                                               std::uint32_t max_iterations, double tolerance,
                                               worker_pool& pool, const run_control* control);

/// Copies the numbers to host memory as doubles. @throws out_of_memory
[[nodiscard]] matrix<double> doubles_of(matrix_view<float> numbers);
#if DUOMAP_HAS_CUDA
[[nodiscard]] matrix<double> doubles_of(const gpu_matrix<float>& numbers);
#endif

}  // namespace duomap
