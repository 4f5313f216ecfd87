// Values of a kernel, computed on a device. For host code; needs CUDA's headers.
#pragma once

#include "apps/algorithms/svm/device_rows.cuh"
#include "apps/algorithms/svm/svm_problem.hpp"
#include "gpu/blas/device_product.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// The kernel of rows that are on the device. Of sparse rows products are taken entry by entry, with 32 rows
/// at a time spread out.
///
/// Products are sums in float32; in float64 where the RBF kernel, whose distances are differences of
/// products, would otherwise be off by more than 1e-5.
class device_kernel {
 public:
  /// For rows of this form and so many columns; products in float64 take at most `product_bytes`, or those of
  /// one row. About `values` are asked for in all: few are computed by duomap's own kernel, because cuBLAS
  /// takes 0.15 s to begin with. `on` must outlive this.
  /// @throws device_out_of_memory
  device_kernel(const svm_kernel& kernel, device_row_form form, std::uint64_t columns,
                std::uint64_t product_bytes, double values, const stream& on);

  /// Numbers from one row of kernel values to the next where they are with so many rows: a multiple of 32.
  [[nodiscard]] static std::uint64_t stride_of(std::uint64_t rows) noexcept { return (rows + 31) / 32 * 32; }

  /// Whether rows as long as this have to be wide.
  [[nodiscard]] static bool needs_wide(const svm_kernel& kernel, double largest_square) noexcept;

  /// More values are asked for than were expected.
  void expect(double values);

  /// Queues values[r * stride + i] = K(row first + r of left, row i of right), for `count` rows.
  void compute(const device_rows& left, std::uint64_t first, std::uint64_t count, const device_rows& right,
               float* values, std::uint64_t stride);

 private:
  /// Rows of the left side, and where their values begin.
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
  bool uses_own_ = false;  ///< cuBLAS is not asked
  svm_kernel kernel_;
  device_row_form form_;
  std::uint64_t columns_;
  std::uint64_t product_bytes_;
  device_buffer products_;  ///< float64 ones of a panel
  device_buffer spread_;    ///< 32 sparse rows, column by column; zero between panels
};

}  // namespace duomap::gpu
