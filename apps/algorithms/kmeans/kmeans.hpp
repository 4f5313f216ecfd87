// k-means clustering by Lloyd's algorithm, on all CPU cores and GPUs.
// host only
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/iterative_report.hpp"
#include "core/job_options.hpp"
#include "core/run_control.hpp"
#include "core/split_policy.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace duomap {

/// Where the centres begin.
enum class kmeans_start {
  spread,  ///< k-means++ (first_centres.hpp)
  random,  ///< different points
  given,   ///< kmeans_options::initial
};

/// Settings of kmeans().
struct kmeans_options {
  std::uint32_t clusters = 8;
  kmeans_start start = kmeans_start::spread;
  /// For `given`: `clusters` rows of as many columns as the points have, finite.
  matrix_view<double> initial = {};
  std::uint32_t max_iterations = 300;
  /// The centres stand still when the squares of what they moved by, added up over all coordinates, are at
  /// most so many times the mean of the columns' variances. 0: when no sum of any cluster changed.
  double tolerance = 1e-4;
  std::uint64_t seed = 0;
  bool labels = false;  ///< find the cluster of each point too; one more pass on the CPU

  device_choice device = device_choice::automatic;
  split_choice split = {};
  bool strict = false;         ///< a GPU that is lost is an error, though others could do its part
  std::vector<int> gpus = {};  ///< job_options::gpus
  bool timeline = false;       ///< the report gets a timeline, from the first centres to the labels
  /// Progress out: each iteration adds the bytes of all points, and nobody knows how many come until the end.
  /// Cancellation in. May be null.
  run_control* control = nullptr;
};

/// What kmeans() found. Everything is the same to the last bit for any number of threads, any devices and any
/// split between them, except `report`.
struct kmeans_result {
  matrix<double> centres;             ///< a row for each cluster
  std::vector<std::uint64_t> sizes;   ///< points whose nearest centre it is
  std::vector<std::uint32_t> labels;  ///< if asked for: for each point the row of its centre
  double inertia = 0;                 ///< squared distances of all points to their centres, added up
  std::uint32_t iterations = 0;
  bool converged = false;  ///< before max_iterations
  iterative_report report;
};

/// Clusters points, one a row: Lloyd's algorithm (Lloyd, IEEE Transactions on Information Theory 28, 1982).
/// In each iteration every point belongs to the nearest centre by Euclidean distance, and each centre moves
/// to the mean of its points. A cluster without points takes the point that is farthest from its centre out
/// of its cluster (several take the farthest ones, in their order); only when all points lie on their centres
/// its centre stays where it is. At the end sizes, labels and inertia are those of the centres that are
/// returned: a cluster that has just lost its last point may be empty.
///
/// T is float or double; double runs on the CPU only. Distances are computed in T from a round number near
/// the mean of 256 of the column's numbers, so that points far from the origin lose nothing: their error is
/// at most (dimensions + 2) units in the last place of the largest squared distance to it. A point belongs to
/// the first centre c of the smallest |c|^2 / 2 - c x in T (lloyd_step.hpp): centres whose distances differ
/// by no more than that error count as equally near, and any of them may be taken, the same one everywhere.
/// Sums are exact on a grid (point_grid.hpp), and the inertia is computed from them in 128 bits: it is 0
/// where every point lies on its centre. Before that, a coordinate less the mean is rounded to T, which moves
/// a point by 2^-24 (T double: 2^-53) of it at most. The centres of doubles are returned as the means of
/// their points, rounded once (exact_means.hpp); sizes, labels and inertia are those of the means on the
/// grid, which lie at most its unit beside them.
///
/// On GPUs any number of dimensions and clusters; fastest up to 4 dimensions and for multiples of 4 up to 32.
///
/// @throws usage_error: no points or dimensions, fewer points than clusters, no cluster, initial centres of
/// another shape or not finite, distances too large or too small for T, device gpu with double; input_error
/// naming the first row (from 0) with a NaN or an infinity; device_unavailable, out_of_memory, interrupted
template <class T>
[[nodiscard]] kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options, worker_pool& pool);

/// The same of points in the memory of a GPU, which does all of it. Few come to the host: the sample among
/// which k-means++ chooses, and groups of rows that have a point for a cluster without any. In report.parts
/// moved_bytes are the bytes of points that were copied to the GPU, which are none.
/// `labels_at`: room in that memory for the labels, which kmeans_result::labels then lacks; may be null.
/// @throws as above; usage_error for another device too; device_lost
[[nodiscard]] kmeans_result kmeans(gpu_matrix<float> points, const kmeans_options& options, worker_pool& pool,
                                   std::uint32_t* labels_at = nullptr);

/// The same on as many workers as this machine and the points call for.
template <class T>
[[nodiscard]] kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options = {});

/// The same for numbers row by row. @throws usage_error when they do not fill whole rows
template <class T>
[[nodiscard]] kmeans_result kmeans(std::span<const T> points, std::uint64_t columns,
                                   const kmeans_options& options = {});

/// Begins to start GPUs beside what comes before kmeans(), such as reading the points, if a call over so many
/// points on so many workers would start them at once. What it returns is kept until that call.
template <class T>
[[nodiscard]] std::shared_ptr<void> start_ahead_of_kmeans(std::uint64_t rows, std::uint64_t columns,
                                                          const kmeans_options& options, unsigned workers);

}  // namespace duomap
