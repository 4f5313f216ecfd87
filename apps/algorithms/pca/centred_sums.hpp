// Means, and sums of products of columns about them.
// host only
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/job_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// What covariances are made of.
struct centred_sums {
  std::uint64_t rows = 0;
  std::vector<double> mean;  ///< of each column
  /// Columns times columns: the sum over all rows of (x_i - mean_i) (x_j - mean_j).
  matrix<double> products;
};

/// The centred sums of rows of float or double, on CPU and GPUs as `options` say.
///
/// One pass over the rows adds up their differences to an origin near the mean, and the products of these
/// (Chan, Golub and LeVeque, Algorithms for Computing the Sample Variance, The American Statistician 37,
/// 1983: shifted data). The origin is the mean of 256 rows, evenly spread. Where that was not near enough
/// (rows * (mean - origin)^2 is more than the sum of the squares about the mean, for some column), a second
/// pass takes the mean that the first has found. So with u the unit of rounding of T (2^-24 or 2^-53) each
/// sum of products is wrong by at most about 520 u sqrt(p_ii p_jj), p the sums of squares, whatever the
/// number of rows, since the sums of at most 256 rows go into float64; usually by some u. Data with mean 10^6
/// and variance 1 loses nothing but what rounding it to T has lost.
///
/// `deterministic`: the same bits for any threads, devices and split (core/deterministic.hpp).
/// @throws input_error for less than two rows, no columns, and NaN or infinity, naming the row, of the table
/// `name`; error when products are too large, or the squares of all columns together too small, for T;
/// device_unavailable, interrupted, out_of_memory. Where those of some columns are, the report has a note.
template <class T>
[[nodiscard]] centred_sums centred_sums_of(matrix_view<T> rows, const std::string& name, bool deterministic,
                                           worker_pool& pool, const job_options& options);

#if DUOMAP_HAS_CUDA
/// The same of rows in the memory of a GPU, on which `options` run (on_its_gpu()).
template <class T>
[[nodiscard]] centred_sums centred_sums_of(gpu_matrix<T> rows, const std::string& name, bool deterministic,
                                           worker_pool& pool, const job_options& options);
#endif

}  // namespace duomap
