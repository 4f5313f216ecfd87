// Finds principal components: the axes along which rows of numbers vary most.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/run_options.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/pca/centred_sums.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

struct pca_options {
  std::uint32_t components = 0;  ///< the number of axes to keep, of the largest variance; 0: all
  /// Whether to use the correlation matrix: each column is then first divided by its standard deviation. A
  /// constant column then counts as 0.
  bool correlation = false;
  bool deterministic = false;       ///< the same bits for any threads, devices and shares
  std::string name = "the matrix";  ///< name of the rows in messages
  run_options run;
};

/// The result of pca(), all in float64.
struct pca_result {
  std::uint64_t rows = 0;
  std::vector<double> mean;       ///< of each column
  std::vector<double> deviation;  ///< the divisor of each column: 1 unless `correlation`
  matrix<double> covariance;      ///< columns times columns: about the mean, divided by rows - 1
  std::vector<double> variance;   ///< along each axis, descending: the eigenvalues, at least 0
  std::vector<double> share;      ///< the axis's part of the variance of all columns; 0 if all are constant
  /// The mean variance along the axes that were left out, counted up to min(rows, columns); 0 if none was
  /// left out. It is the noise of probabilistic PCA (Tipping and Bishop 1999).
  double noise_variance = 0;
  /// Row k is axis k: an eigenvector of length 1, orthogonal to the others. Its component of the largest
  /// magnitude is positive. Axes of equal variance are an arbitrary basis of the space that they span.
  matrix<double> axes;
  std::string loss;  ///< see centred_sums
};

/// Computes the principal components of rows (Pearson 1901; Hotelling 1933): centred_sums_of(), then the
/// eigenvectors of covariance or correlation by LAPACK's dsyevd on one thread. T is float or double.
/// @throws the errors of centred_sums_of() and symmetric_eigen(); usage_error for more components than
/// columns
template <class T>
[[nodiscard]] pca_result pca(matrix_view<T> rows, const pca_options& options = {});

/// Takes rows in the memory of a GPU, which adds up the sums. LAPACK computes the eigenvectors on the host.
/// @throws usage_error for another device too; device_lost
template <class T>
[[nodiscard]] pca_result pca(gpu_matrix<T> rows, const pca_options& options = {});

/// Takes rows of `columns` consecutive numbers.
template <class T>
[[nodiscard]] pca_result pca(std::span<const T> values, std::uint64_t columns,
                             const pca_options& options = {}) {
  return pca(matrix_view<T>(values, columns), options);
}

/// The coordinates of rows along the axes: row r, column k is the product of axis k and (row r - mean) /
/// deviation. Runs on the CPU; `control` may be null.
/// @throws usage_error when the rows have other columns; out_of_memory, interrupted
template <class T>
[[nodiscard]] matrix<T> project(matrix_view<T> rows, const pca_result& onto, worker_pool& pool,
                                const run_control* control = nullptr);

}  // namespace duomap
