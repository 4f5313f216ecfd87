// Declares matrices in the memory of a GPU, which callers hand over without a copy.
// host only
#pragma once

#include "core/run_options.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// A matrix_view of numbers that only a GPU can read.
template <class T>
struct gpu_matrix {
  const T* data;
  std::uint64_t rows;
  std::uint64_t columns;
  int gpu;  ///< device_info::index

  // Takes all four arguments, so that {values, rows, columns} makes a matrix_view, not a gpu_matrix.
  gpu_matrix(const T* values, std::uint64_t row_count, std::uint64_t column_count, int gpu_index)
    : data(values), rows(row_count), columns(column_count), gpu(gpu_index) {}

  /// The matrix as a matrix_view, for code that reads none of the bytes on the host.
  [[nodiscard]] matrix_view<T> view() const { return {data, rows, columns}; }
  [[nodiscard]] byte_view bytes() const { return view().bytes(); }
};

/// The reason why a program without GPU code refuses a matrix in a GPU's memory.
inline constexpr const char* no_code_for_gpu_matrices =
    "this duomap was built without GPU code, and reads no arrays in the memory of a GPU; copy them to host "
    "memory";

/// @throws usage_error when the matrix `name` is in the memory of `gpu`, and the caller asks for another
/// device
void require_device_of_matrix(device_choice device, std::span<const int> gpus, int gpu,
                              const std::string& name);

/// Limits the options of a job to the GPU whose memory has the matrix. @throws as require_device_of_matrix()
[[nodiscard]] run_options on_its_gpu(run_options options, int gpu, const std::string& name);

/// Checks that two matrices are on one GPU. `first_lies` begins the message: "the training rows lie".
/// @throws usage_error when they are on two GPUs
void require_one_gpu(int first, const std::string& first_lies, int second, const std::string& second_name);

/// Copies some rows to host memory, one after another.
template <class T>
[[nodiscard]] std::vector<T> rows_at(matrix_view<T> from, std::span<const std::uint64_t> rows) {
  std::vector<T> all;
  all.reserve(rows.size() * from.columns);
  for (const std::uint64_t one : rows) {
    const auto row = from.row(one);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

#if DUOMAP_HAS_CUDA
template <class T>
[[nodiscard]] std::vector<T> rows_at(gpu_matrix<T> from, std::span<const std::uint64_t> rows);

/// Does the same as the functions in finite.hpp, on the GPU.
template <class T>
[[nodiscard]] std::uint64_t first_row_not_finite(gpu_matrix<T> values);
template <class T>
void require_finite(gpu_matrix<T> values, const std::string& name, worker_pool& pool);
#endif

}  // namespace duomap
