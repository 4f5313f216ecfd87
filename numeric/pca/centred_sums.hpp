// Computes the means of columns, and the sums of products about the means.
// host only
#pragma once

#include "core/run_options.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// The sums from which covariances follow.
struct centred_sums {
  std::uint64_t rows = 0;
  std::vector<double> mean;  ///< for each column
  /// Columns times columns: the sum over all rows of (x_i - mean_i) (x_j - mean_j).
  matrix<double> products;
  /// A sentence that names the columns whose products T cannot hold; else empty. The notes of the report also
  /// have the sentence.
  std::string loss;
};

/// Computes the centred sums of rows of float or double, on the CPU and GPUs that `options` choose.
///
/// One pass over the rows adds up their differences to an origin near the mean, and the products of these
/// differences (Chan, Golub and LeVeque, Algorithms for Computing the Sample Variance, The American
/// Statistician 37, 1983: shifted data). The origin is the mean of 256 evenly spread rows. If, for some
/// column, rows * (mean - origin)^2 exceeds the sum of squares about the mean, a second pass takes the first
/// pass's mean as its origin.
///
/// With u the unit of rounding of T (2^-24 or 2^-53), and p the sums of squares, each sum of products has an
/// error of at most about 520 u sqrt(p_ii p_jj), usually a few u, for any number of rows: sums over at most
/// 256 rows go into float64. Data with mean 10^6 and variance 1 loses only the digits that rounding to T
/// takes.
///
/// `deterministic`: the same bits for any threads, devices and split (core/deterministic.hpp).
/// @throws input_error for fewer than two rows, no columns, and NaN or infinity, naming the row, of the table
/// `name`; usage_error when products are too large for T, or when the squares of all columns together are too
/// small (if only some columns' are, `loss` says so); device_unavailable, interrupted, out_of_memory
template <class T>
[[nodiscard]] centred_sums centred_sums_of(matrix_view<T> rows, const std::string& name, bool deterministic,
                                           worker_pool& pool, const run_options& options);

#if DUOMAP_HAS_CUDA
/// Adds up rows in the memory of a GPU, on which `options` run (on_its_gpu()).
template <class T>
[[nodiscard]] centred_sums centred_sums_of(gpu_matrix<T> rows, const std::string& name, bool deterministic,
                                           worker_pool& pool, const run_options& options);
#endif

}  // namespace duomap
