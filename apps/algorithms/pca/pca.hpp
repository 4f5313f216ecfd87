// Principal component analysis: the axes along which rows of numbers vary most.
// host only
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "apps/algorithms/pca/centred_sums.hpp"
#include "core/job_options.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

struct pca_options {
  std::uint32_t components = 0;  ///< axes that are kept, those of the largest variance; 0: all
  /// Of the correlation matrix: each column is divided by its standard deviation first. A constant column
  /// counts as 0 then.
  bool correlation = false;
  bool deterministic = false;       ///< the same bits for any threads, devices and split
  std::string name = "the matrix";  ///< of the rows, in messages
  job_options job;
};

/// What pca() finds; everything in float64.
struct pca_result {
  std::uint64_t rows = 0;
  std::vector<double> mean;       ///< of each column
  std::vector<double> deviation;  ///< what each column is divided by: 1 unless `correlation`
  matrix<double> covariance;      ///< columns times columns: about the mean, divided by rows - 1
  std::vector<double> variance;  ///< along each axis, descending: the eigenvalues; 0 where rounding made less
  std::vector<double> share;     ///< variance of each axis over that of all columns; 0 where that is 0
  /// Row k is axis k: an eigenvector of length 1, orthogonal to the others, whose component of the largest
  /// magnitude is positive. Axes of equal variance are any such basis of what they span.
  matrix<double> axes;
};

/// The principal components of rows (Pearson 1901; Hotelling 1933): centred_sums_of(), then the eigenvectors
/// of covariance or correlation by LAPACK's dsyevd on one thread. T is float or double.
/// @throws what centred_sums_of() and symmetric_eigen() throw; usage_error for more components than columns
template <class T>
[[nodiscard]] pca_result pca(matrix_view<T> rows, const pca_options& options = {});

/// The same of rows in the memory of a GPU, which adds up the sums; the eigenvectors are LAPACK's.
/// @throws usage_error for another device too; device_lost
template <class T>
[[nodiscard]] pca_result pca(gpu_matrix<T> rows, const pca_options& options = {});

/// The same for rows of `columns` numbers, one after the other.
template <class T>
[[nodiscard]] pca_result pca(std::span<const T> values, std::uint64_t columns,
                             const pca_options& options = {}) {
  return pca(matrix_view<T>(values, columns), options);
}

/// Coordinates of rows along the axes: row r, column k is the product of axis k and (row r - mean) /
/// deviation. On the CPU; `control` may be null.
/// @throws usage_error when the rows have other columns; out_of_memory, interrupted
template <class T>
[[nodiscard]] matrix<T> project(matrix_view<T> rows, const pca_result& onto, worker_pool& pool,
                                const run_control* control = nullptr);

}  // namespace duomap
