// Clusters points by Lloyd's algorithm (k-means), on all CPU cores and GPUs.
// host only
#pragma once

#include "core/iterative_report.hpp"
#include "core/run_control.hpp"
#include "core/run_options.hpp"
#include "core/share_policy.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// The ways to choose the first centres.
enum class kmeans_start {
  spread,  ///< k-means++ (first_centres.hpp)
  random,  ///< different points, drawn at random
  given,   ///< kmeans_options::initial
};

/// Settings of kmeans().
struct kmeans_options {
  std::uint32_t clusters = 8;
  kmeans_start start = kmeans_start::spread;
  /// For `given`: `clusters` rows of finite numbers, as wide as the points.
  matrix_view<double> initial = {};
  std::uint32_t max_iterations = 300;
  /// The centres stand still when the sum of the squared movements of all coordinates is at most `tolerance`
  /// times the mean of the columns' variances. 0: they stand still when no sum of any cluster changed.
  double tolerance = 1e-4;
  std::uint64_t seed = 0;
  bool labels = false;  ///< find each point's cluster too: one more pass on the CPU
  /// The options of an iterative job. The timeline reaches from the first centres to the labels. Progress:
  /// each iteration adds the bytes of all points; the number of iterations is unknown until the end. kmeans()
  /// sets `steps` itself.
  run_options run = {};
};

/// The result of kmeans(). All but `report` is the same to the last bit for any number of threads, any
/// devices and any split of the points between them.
struct kmeans_result {
  matrix<double> centers;             ///< a row for each cluster
  std::vector<std::uint64_t> sizes;   ///< number of points nearest to each centre
  std::vector<std::uint32_t> labels;  ///< if asked for: the row of each point's centre
  double inertia = 0;                 ///< sum of the squared distances of all points to their centres
  std::uint32_t iterations = 0;
  bool converged = false;  ///< the centres stood still within max_iterations
  /// A sentence about distances that are too small for the arithmetic; else empty. The notes of the report
  /// also have the sentence.
  std::string loss;
  iterative_report report;
};

/// Clusters points, one in each row, by Lloyd's algorithm (Lloyd, IEEE Transactions on Information Theory 28,
/// 1982). In each iteration every point belongs to the centre nearest by Euclidean distance, and each centre
/// moves to the mean of its points. An empty cluster takes the point farthest from its centre out of that
/// point's cluster; several empty clusters take the farthest points in order. If all points lie on their
/// centres, the centre of an empty cluster stays where it is. Sizes, labels and inertia belong to the
/// returned centres, so a cluster that has just lost its last point may be empty.
///
/// T is float or double; double runs on the CPU only. Each column is shifted by a round number near the mean
/// of 256 of its numbers, so that points far from the origin lose nothing. Distances are then computed in T.
/// Their error is at most (dimensions + 2) units in the last place of the largest squared distance to the
/// shifted origin. A point belongs to the first centre c with the smallest |c|^2 / 2 - c x in T
/// (lloyd_step.hpp). Centres whose distances differ by less than the error count as equally near: any of them
/// may be taken, but every device takes the same one. Sums are exact on a grid (point_grid.hpp). Rounding to
/// T moves a shifted coordinate by at most 2^-24 (double: 2^-53) of its size.
///
/// The inertia of floats is computed from the sums in 128 bits, and is 0 if every point lies on its centre.
/// Its relative error is below 2^-20 from rounding to the grid, and below 2^-10 from rounding shifted
/// coordinates to T. For doubles, each centre is the mean of its points, rounded once (exact_means.hpp), and
/// the inertia is the sum over differences of points and centres (direct_lloyd.hpp).
///
/// These bounds fail if some points lie too far from others. Double centres may also lie so close together
/// that a point on one gets the label of another. Then kmeans() clusters the points once more by differences,
/// on the CPU in double, and the report says so. If only float centres lie too close together, `loss` says
/// so.
///
/// GPUs take any number of dimensions and clusters. They are fastest up to 4 dimensions and for multiples of
/// 4 up to 32.
///
/// @throws usage_error: no points or dimensions, fewer points than clusters, no cluster, initial centres of
/// another shape or not finite, distances too large or too small for T, device gpu with double; input_error
/// naming the first row (from 0) with a NaN or an infinity; device_unavailable, out_of_memory, interrupted
template <class T>
[[nodiscard]] kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options, worker_pool& pool);

/// Clusters points in the memory of a GPU, which does all of the work. Few points come to the host: the
/// sample from which k-means++ chooses, and groups of rows with a point for an empty cluster.
/// report.parts[].moved_bytes, the bytes of points copied to the GPU, are 0. `labels_at`: room for the labels
/// in the GPU's memory; kmeans_result::labels then stays empty. May be null.
/// @throws as above; usage_error for another device too; device_lost
[[nodiscard]] kmeans_result kmeans(gpu_matrix<float> points, const kmeans_options& options, worker_pool& pool,
                                   std::uint32_t* labels_at = nullptr);

/// Chooses the number of workers by this machine and the size of the points.
template <class T>
[[nodiscard]] kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options = {});

/// Takes numbers row by row. @throws usage_error when they do not fill whole rows
template <class T>
[[nodiscard]] kmeans_result kmeans(std::span<const T> points, std::uint64_t columns,
                                   const kmeans_options& options = {});

/// Begins to start GPUs while the caller still reads points, if kmeans() over `rows` points with `workers`
/// workers would start GPUs at once. The caller keeps the returned handle until it calls kmeans().
template <class T>
[[nodiscard]] std::shared_ptr<void> start_ahead_of_kmeans(std::uint64_t rows, std::uint64_t columns,
                                                          const kmeans_options& options, unsigned workers);

}  // namespace duomap
