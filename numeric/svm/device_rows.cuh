// Keeps rows on a device, in the form that kernels need. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Rows in the memory of the calling thread's current device.
class device_rows {
 public:
  /// `rows` must be sparse if the form is sparse, and must live until the stream has done the work queued so
  /// far. `on` must outlive this.
  /// @throws device_out_of_memory
  device_rows(const svm_rows& rows, const svm_kernel& kernel, device_row_form form, const stream& on);

  /// For dense rows: converts their numbers to float64.
  void widen();

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] device_row_form form() const noexcept { return form_; }
  /// K(x, x) of each row, in device memory.
  [[nodiscard]] const float* diagonal() const noexcept { return diagonal_.as<float>(); }
  /// |x|^2 of each row, in device memory.
  [[nodiscard]] const double* squares() const noexcept { return squares_.as<double>(); }
  /// The largest |x|^2; waits for the stream.
  [[nodiscard]] double largest_square() const;

  /// Sparse rows: the entries of row r begin at row_start()[r] - row_start()[0].
  [[nodiscard]] const std::uint64_t* row_start() const noexcept { return row_start_.as<std::uint64_t>(); }
  [[nodiscard]] const std::uint32_t* column_of() const noexcept { return column_of_.as<std::uint32_t>(); }
  [[nodiscard]] const float* values() const noexcept { return values_.as<float>(); }
  /// Dense rows: T is float, or double if the form is wide.
  template <class T>
  [[nodiscard]] const T* dense() const noexcept {
    return dense_.as<T>();
  }

 private:
  void upload_sparse(const svm_rows& rows);
  void remove_gaps();

  const stream& on_;
  std::uint64_t rows_;
  std::uint64_t columns_;
  device_row_form form_;
  device_buffer dense_;
  device_buffer row_start_;
  device_buffer column_of_;
  device_buffer values_;
  device_buffer squares_;
  device_buffer diagonal_;
};

}  // namespace duomap::gpu
