// Matrices in the memory of a GPU, which callers hand over where they lie.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "core/job_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// As matrix_view, of numbers that only a GPU can read.
template <class T>
struct gpu_matrix {
  const T* data;
  std::uint64_t rows;
  std::uint64_t columns;
  int gpu;  ///< device_info::index

  // Braces that make a matrix_view do not make this.
  gpu_matrix(const T* values, std::uint64_t row_count, std::uint64_t column_count, int gpu_index)
    : data(values), rows(row_count), columns(column_count), gpu(gpu_index) {}

  /// For what reads no byte of them on the host.
  [[nodiscard]] matrix_view<T> view() const { return {data, rows, columns}; }
  [[nodiscard]] byte_view bytes() const { return view().bytes(); }
};

/// Why a program without GPU code cannot take such a matrix.
inline constexpr const char* no_code_for_gpu_matrices =
    "this duomap was built without GPU code, and reads no arrays in the memory of a GPU; copy them to host "
    "memory";

/// @throws usage_error when a caller who hands over `name`, in the memory of `gpu`, asks for another device
void require_its_gpu(device_choice device, std::span<const int> gpus, int gpu, const std::string& name);

/// The options of a job over such a matrix: that GPU alone. @throws as require_its_gpu()
[[nodiscard]] job_options on_its_gpu(job_options options, int gpu, const std::string& name);

/// For what needs two matrices on one GPU. `first_lies`: "the training rows lie".
/// @throws usage_error when they are on two
void require_one_gpu(int first, const std::string& first_lies, int second, const std::string& second_name);

/// Some rows, one after the other, in host memory.
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

/// See finite.hpp; on the GPU.
template <class T>
[[nodiscard]] std::uint64_t first_row_not_finite(gpu_matrix<T> values);
template <class T>
void require_finite(gpu_matrix<T> values, const std::string& name, worker_pool& pool);
#endif

}  // namespace duomap
