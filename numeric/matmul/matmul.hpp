// Multiplies matrices on all cores and GPUs.
// host only
#pragma once

#include "core/product.hpp"
#include "core/run_options.hpp"
#include "numeric/common/gpu_matrix.hpp"

#include <span>

namespace duomap {

struct matmul_options {
  /// The devices, threads and report of the run; with several passes, the report is that of the last one.
  run_options run = {};
  /// `plain`: the error of each element of the product is at most about k * 2^-24 (double: 2^-53) times the
  /// sum of its terms' absolute values. The last bits depend on device and cut. `ordered`: the same bits on
  /// all devices and for any cut, with the same error bound, but slower on a GPU. `tf32`: GPUs with tensor
  /// cores for TF32 round factors to 11 significant bits, which makes an H200 8 times as fast.
  product_kind kind = product_kind::plain;
};

/// T holds every whole number up to this one. Sums of products below this number are exact in any order.
template <class T>
inline constexpr double largest_whole = sizeof(T) == sizeof(float) ? 0x1p24 : 0x1p53;

/// If both factors have only whole numbers: an upper bound for the sum of the absolute values of an element's
/// terms. Otherwise 0.
template <class T>
[[nodiscard]] double largest_whole_sum(matrix_view<T> left, matrix_view<T> right);

/// Returns left * right, m x k times k x n numbers (Mars; He et al., PACT 2008, section 5). T is float or
/// double. NaN and infinity follow the rules of arithmetic.
///
/// CPU and GPUs share the rows of the left factor and of the product. A GPU holds the right factor, as far as
/// it fits into half of the GPU's memory. If not all columns fit, the left factor passes by several times.
/// @throws usage_error when the left factor's columns are not as many as the right factor's rows;
/// device_unavailable, out_of_memory, interrupted
template <class T>
[[nodiscard]] matrix<T> matmul(matrix_view<T> left, matrix_view<T> right, const matmul_options& options = {});

/// Writes the product into the caller's memory, left.rows * right.columns numbers, row by row.
/// @throws usage_error when `product` has another size
template <class T>
void matmul(matrix_view<T> left, matrix_view<T> right, std::span<T> product,
            const matmul_options& options = {});

/// Multiplies factors in the memory of one GPU, which does all of the work. `product` is in the memory of the
/// host, or of the GPU, which then writes to it directly.
/// @throws usage_error for another device, and for factors on two GPUs, too; device_lost
template <class T>
void matmul(gpu_matrix<T> left, gpu_matrix<T> right, std::span<T> product,
            const matmul_options& options = {});

}  // namespace duomap
