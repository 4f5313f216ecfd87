// Rows of a kernel matrix, computed on a device from rows that stay there. For host code; needs CUDA's
// headers.
#pragma once

#include "apps/svm/svm_problem.hpp"
#include "gpu/blas/device_product.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// Rows on the calling thread's current device, and their kernel with others. Sparse rows of few columns are
/// made dense there; of others products are taken entry by entry, with 32 rows at a time spread out.
///
/// Products are sums in float32; in float64 where the RBF kernel, whose distances are differences of
/// products, would otherwise be off by more than 1e-5.
class device_kernel {
 public:
  /// `on` must outlive this; `rows` are needed only during the call.
  /// @throws device_out_of_memory
  device_kernel(const svm_rows& rows, const svm_kernel& kernel, const stream& on);

  /// Rows for compute_others() of `with`: kept as its own are.
  device_kernel(const svm_rows& rows, const device_kernel& with);

  /// Has to be called before the first compute: how many rows' kernel values will be asked for, about. Few
  /// are computed by duomap's own kernel, because cuBLAS takes 0.15 s to begin with.
  void expect(std::uint64_t rows);

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// Numbers from one row of kernel values to the next: a multiple of 32, at least rows().
  [[nodiscard]] std::uint64_t stride() const noexcept { return stride_of(rows_); }
  /// The same before there is a kernel.
  [[nodiscard]] static std::uint64_t stride_of(std::uint64_t rows) noexcept { return (rows + 31) / 32 * 32; }
  /// K(x, x) of each row, in device memory.
  [[nodiscard]] const float* diagonal() const noexcept { return diagonal_.as<float>(); }
  /// |x|^2 of each row, in device memory.
  [[nodiscard]] const double* squares() const noexcept { return squares_.as<double>(); }

  /// Queues values[r * stride() + i] = K(row first + r, row i), for `count` rows.
  void compute(std::uint64_t first, std::uint64_t count, float* values);

  /// The same of `count` rows of another kernel of the same columns: K(row first + r of `other`, row i).
  void compute_others(const device_kernel& other, std::uint64_t first, std::uint64_t count, float* values);

 private:
  struct panel;

  void upload(const svm_rows& rows);
  void find_squares();
  void widen_values();
  void make_dense();
  void compute_panel(const panel& of, float* values);
  template <class T>
  void multiply(const panel& of, const device_buffer& all, float* values);
  void multiply_sparse(const panel& of, float* values);

  const stream& on_;
  std::optional<device_product> product_;
  svm_kernel kernel_;
  std::uint64_t rows_;
  std::uint64_t columns_;
  bool sparse_ = false;
  bool wide_ = false;      ///< products are summed up in float64
  bool uses_own_ = false;  ///< cuBLAS is not asked
  device_buffer dense_;
  device_buffer wide_dense_;
  device_buffer row_start_;
  device_buffer column_of_;
  device_buffer values_;
  device_buffer squares_;
  device_buffer diagonal_;
  device_buffer products_;  ///< float64 ones of a panel
  device_buffer spread_;    ///< 32 sparse rows, column by column; zero between panels
};

}  // namespace duomap::gpu
