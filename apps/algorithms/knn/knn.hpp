// k nearest neighbours: which rows of a training set are nearest to each query, and the class they vote for.
// host only
#pragma once

#include "apps/algorithms/knn/distance.hpp"
#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/job_options.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// Settings of knn().
struct knn_options {
  /// Neighbours of each query: at least 1, at most as many as there are training rows.
  std::uint32_t k = 5;
  /// Where and how the job runs. GPUs take part for k up to 1024.
  job_options job = {};
};

/// The neighbours of all queries.
struct knn_result {
  std::uint32_t k = 0;
  /// k of each query, one query after the other. `score` is the Euclidean distance, `index` the training row
  /// (from 0). Nearest first; of equally near rows the one with the smaller index.
  std::vector<neighbour> neighbours;

  [[nodiscard]] std::uint64_t queries() const noexcept { return k > 0 ? neighbours.size() / k : 0; }
  [[nodiscard]] std::span<const neighbour> of(std::uint64_t query) const {
    return {neighbours.data() + query * k, k};
  }
};

/// For callers that show distances: infinite ones are in no order.
/// @throws usage_error when squared distances were too large for doubles
void require_finite_distances(const knn_result& found);

/// Finds the k rows of `training` that are nearest to each row of `queries`, by Euclidean distance. Exact:
/// what single precision cannot tell apart is computed in double precision (squared_distance()), so that the
/// answer is the same, bit for bit, on any device, for any number of threads and any cut.
///
/// `training` is n times d floats, row by row, and `queries` m times d. Each training row is a record of a
/// job, each query a key, of which the k best are kept; queries are done in batches of some thousands,
/// where GPUs work alone of tens of thousands.
/// The method is that of Chen & Agrawal (HPDC 2012, section 5), many queries at once.
/// @throws usage_error when k or the numbers of columns do not fit, or there are more than 1,048,576 columns;
/// input_error for NaN and infinity, naming the row; and what duomap::run() throws
[[nodiscard]] knn_result knn(matrix_view<float> training, matrix_view<float> queries,
                             const knn_options& options = {});

/// The same for doubles, on the CPU alone. Differences, squares and sums are rounded in double precision: a
/// squared distance is wrong by at most (d / 8 + 7) units of 2^-53, and infinite above 1.8e308.
/// @throws usage_error for device gpu or cpu+gpu too
[[nodiscard]] knn_result knn(matrix_view<double> training, matrix_view<double> queries,
                             const knn_options& options = {});

/// The same of rows in the memory of one GPU, which does all of it; the answer comes to the host.
/// @throws usage_error for another device, for rows on two GPUs, and for k above 1024 too; device_lost
[[nodiscard]] knn_result knn(gpu_matrix<float> training, gpu_matrix<float> queries,
                             const knn_options& options = {});

/// The same over arrays; each row has `columns` values, what does not fill a row is left out.
[[nodiscard]] inline knn_result knn(std::span<const float> training, std::span<const float> queries,
                                    std::uint64_t columns, const knn_options& options = {}) {
  return knn(matrix_view<float>(training, columns), matrix_view<float>(queries, columns), options);
}
[[nodiscard]] inline knn_result knn(std::span<const double> training, std::span<const double> queries,
                                    std::uint64_t columns, const knn_options& options = {}) {
  return knn(matrix_view<double>(training, columns), matrix_view<double>(queries, columns), options);
}

/// The class that most neighbours of each query have. Of classes with as many neighbours, the one with the
/// nearest of them; at equal distance too, the one whose neighbour has the smaller index.
/// `class_of_row`: of each training row, a number below 2^32.
[[nodiscard]] std::vector<std::uint32_t> vote(const knn_result& found,
                                              std::span<const std::uint32_t> class_of_row);

}  // namespace duomap
