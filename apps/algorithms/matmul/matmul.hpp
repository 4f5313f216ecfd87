// Matrix products on all cores and GPUs.
// host only
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/job_options.hpp"
#include "core/product.hpp"

#include <span>

namespace duomap {

struct matmul_options {
  /// Where it runs; `report` tells of the last of several passes.
  job_options job = {};
  /// `plain`: each element of the product has an error of at most about k * 2^-24 (double: 2^-53) times the
  /// sum of its terms' absolute values, and its last bits depend on device and cut. `ordered`: the same bits
  /// on all devices and for any cut, with the same bound, and slower on a GPU. `tf32`: factors have 11
  /// significant bits on GPUs that can do that, which an H200 does 8 times as fast.
  product_kind kind = product_kind::plain;
};

/// left * right: m x k times k x n numbers (Mars; He et al., PACT 2008, section 5). T is float or double. NaN
/// and infinity go through as in any arithmetic.
///
/// The left factor and the product are cut into rows, which CPU and GPUs share; a GPU holds the right factor,
/// or as many of its columns as half of its memory takes, for which the left one passes by again.
/// @throws usage_error when left has not as many columns as right has rows; device_unavailable,
/// out_of_memory, interrupted
template <class T>
[[nodiscard]] matrix<T> matmul(matrix_view<T> left, matrix_view<T> right, const matmul_options& options = {});

/// The same into memory of the caller's, left.rows * right.columns numbers, row by row.
/// @throws usage_error when there is not exactly so much of it
template <class T>
void matmul(matrix_view<T> left, matrix_view<T> right, std::span<T> product,
            const matmul_options& options = {});

/// The same of factors in the memory of one GPU, which does all of it. `product`: in the memory of the host,
/// or in that of the GPU, where it is written to at once.
/// @throws usage_error for another device, and for factors on two GPUs, too; device_lost
template <class T>
void matmul(gpu_matrix<T> left, gpu_matrix<T> right, std::span<T> product,
            const matmul_options& options = {});

}  // namespace duomap
