// Finds k nearest neighbours: the training rows nearest to each query, and the class for which they vote.
// host only
#pragma once

#include "core/run_options.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/knn/distance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// Settings of knn().
struct knn_options {
  /// Neighbours of each query: at least 1, at most the number of training rows.
  std::uint32_t k = 5;
  /// The devices, threads and report of the run. GPUs take part for k up to 1024.
  run_options run = {};
};

/// The neighbours of all queries.
struct knn_result {
  std::uint32_t k = 0;
  /// k neighbours for each query, query after query. `score` is the Euclidean distance, `index` the training
  /// row (from 0). The nearest comes first; of equally near rows, the one with the smaller index.
  std::vector<neighbour> neighbours;

  [[nodiscard]] std::uint64_t queries() const noexcept { return k > 0 ? neighbours.size() / k : 0; }
  [[nodiscard]] std::span<const neighbour> of(std::uint64_t query) const {
    return {neighbours.data() + query * k, k};
  }
};

/// Finds the k rows of `training` nearest to each row of `queries`, by Euclidean distance. Exact: distances
/// that single precision cannot tell apart are computed in double precision (squared_distance()). So the
/// answer is the same, bit for bit, on any device, for any number of threads and any cut.
///
/// `training` is n times d floats, row by row, and `queries` m times d. Each training row is a record of a
/// run, each query is a key that keeps its k best rows. Queries run in batches of some thousands; where GPUs
/// work alone, in batches of tens of thousands. Each batch answers many queries at once, the method of Chen &
/// Agrawal (HPDC 2012, section 5).
/// @throws usage_error when k or the numbers of columns do not fit, or there are more than 1,048,576 columns;
/// input_error for NaN and infinity, naming the row; all errors of duomap::run()
[[nodiscard]] knn_result knn(matrix_view<float> training, matrix_view<float> queries,
                             const knn_options& options = {});

/// Finds neighbours of doubles, on the CPU alone. Differences, squares and sums are rounded in double
/// precision: the relative error of a distance is at most (d / 8 + 7) units of 2^-53. If squares of the
/// neighbours' distances overflow or underflow, all numbers are scaled by a power of two and computed again,
/// which needs a copy.
/// @throws usage_error for device gpu or cpu+gpu, and when no power of two will do
[[nodiscard]] knn_result knn(matrix_view<double> training, matrix_view<double> queries,
                             const knn_options& options = {});

/// Finds neighbours of rows in the memory of one GPU, which does all of the work. The answer comes to the
/// host.
/// @throws usage_error for another device, for rows on two GPUs, and for k above 1024 too; device_lost
[[nodiscard]] knn_result knn(gpu_matrix<float> training, gpu_matrix<float> queries,
                             const knn_options& options = {});

/// Takes arrays with `columns` values in each row. Values that do not fill a row are left out.
[[nodiscard]] inline knn_result knn(std::span<const float> training, std::span<const float> queries,
                                    std::uint64_t columns, const knn_options& options = {}) {
  return knn(matrix_view<float>(training, columns), matrix_view<float>(queries, columns), options);
}
[[nodiscard]] inline knn_result knn(std::span<const double> training, std::span<const double> queries,
                                    std::uint64_t columns, const knn_options& options = {}) {
  return knn(matrix_view<double>(training, columns), matrix_view<double>(queries, columns), options);
}

/// For each query, the class of most of its neighbours. Of classes with equally many neighbours, the class
/// with the nearest neighbour wins; at equal distance, the class whose neighbour has the smaller index.
/// `class_of_row`: a number below 2^32 for each training row.
[[nodiscard]] std::vector<std::uint32_t> vote(const knn_result& found,
                                              std::span<const std::uint32_t> class_of_row);

}  // namespace duomap
