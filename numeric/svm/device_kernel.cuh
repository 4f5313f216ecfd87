// Computes values of a kernel on a device. For host code; needs CUDA's headers.
#pragma once

#include "gpu/blas/device_product.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/svm/device_rows.cuh"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// The kernel of rows on the device. It spreads 32 sparse rows over all columns at a time, and multiplies
/// them entry by entry.
///
/// Products are sums in float32. The RBF kernel takes distances as differences of products; where these would
/// be off by more than 1e-5, sums are in float64.
class device_kernel {
 public:
  /// For rows of this form and `columns` columns. Products in float64 take at most `product_bytes`, or the
  /// bytes of one row if these are more. The caller needs about `values` kernel values in all. duomap's own
  /// kernel computes a small number, because cuBLAS takes 0.15 s to start. `on` must outlive this.
  /// @throws device_out_of_memory
  device_kernel(const svm_kernel& kernel, device_row_form form, std::uint64_t columns,
                std::uint64_t product_bytes, double values, const stream& on);

  /// The number of values from one kernel row of `rows` values to the next: a multiple of 32.
  [[nodiscard]] static std::uint64_t stride_of(std::uint64_t rows) noexcept { return (rows + 31) / 32 * 32; }

  /// Whether rows whose largest squared norm is `largest_square` need float64 products.
  [[nodiscard]] static bool needs_float64(const svm_kernel& kernel, double largest_square) noexcept;

  /// Announces that `values` kernel values will be needed, more than were expected so far.
  void expect(double values);

  /// Queues values[r * stride + i] = K(row first + r of left, row i of right), for `count` rows.
  void compute(const device_rows& left, std::uint64_t first, std::uint64_t count, const device_rows& right,
               float* values, std::uint64_t stride);

 private:
  /// Rows of the left side, and the place of their values.
  struct panel {
    const device_rows& left;
    std::uint64_t first;
    std::uint64_t count;
    const device_rows& right;
    float* values;
    std::uint64_t stride;
  };

  template <class T>
  void multiply(const panel& of);
  void multiply_sparse(const panel& of);

  const stream& on_;
  std::optional<device_product> product_;
  bool uses_own_ = false;  ///< duomap's own kernel is in use, not cuBLAS
  svm_kernel kernel_;
  device_row_form form_;
  std::uint64_t columns_;
  std::uint64_t product_bytes_;
  device_buffer products_;  ///< float64 products of a panel
  device_buffer spread_;    ///< 32 sparse rows, column by column; zero between panels
};

}  // namespace duomap::gpu
