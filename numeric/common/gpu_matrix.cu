// Makes the GPU code that copies rows of a matrix to the host, and finds the first row that is not finite.
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/common/gpu_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace duomap {
namespace gpu {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::uint64_t count) {
  return static_cast<unsigned>(std::min<std::uint64_t>((count + threads - 1) / threads, 4096));
}

template <class T>
__global__ void gather_rows(const T* from, std::uint64_t columns, const std::uint64_t* rows,
                            std::uint64_t count, T* to) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x; i < count * columns;
       i += std::uint64_t{gridDim.x} * threads)
    to[i] = from[rows[i / columns] * columns + i % columns];
}

template <class T>
__global__ void find_not_finite(const T* from, std::uint64_t columns, std::uint64_t count,
                                unsigned long long* first) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * threads) {
    if (!isfinite(from[i])) atomicMin(first, static_cast<unsigned long long>(i / columns));
  }
}

}  // namespace
}  // namespace gpu

template <class T>
std::vector<T> rows_at(gpu_matrix<T> from, std::span<const std::uint64_t> rows) {
  std::vector<T> all(rows.size() * from.columns);
  if (all.empty()) return all;
  gpu::use_gpu(from.gpu);
  const gpu::stream on;
  const gpu::device_buffer wanted(rows.size_bytes(), on), found(all.size() * sizeof(T), on);
  gpu::check(
      cudaMemcpyAsync(wanted.as<void>(), rows.data(), rows.size_bytes(), cudaMemcpyHostToDevice, on.get()),
      "copying numbers of rows");
  gpu::launch(gpu::gather_rows<T>, {gpu::blocks_for(all.size()), gpu::threads, 0, on.get()}, from.data,
              from.columns, wanted.as<std::uint64_t>(), std::uint64_t{rows.size()}, found.as<T>());
  gpu::check(cudaMemcpyAsync(all.data(), found.as<void>(), found.size(), cudaMemcpyDeviceToHost, on.get()),
             "copying some rows");
  on.wait();
  return all;
}

template <class T>
std::uint64_t first_row_not_finite(gpu_matrix<T> values) {
  unsigned long long row = values.rows;
  const std::uint64_t count = values.rows * values.columns;
  if (count == 0) return values.rows;
  gpu::use_gpu(values.gpu);
  const gpu::stream on;
  const gpu::device_buffer first(sizeof row, on);
  gpu::check(cudaMemcpyAsync(first.as<void>(), &row, sizeof row, cudaMemcpyHostToDevice, on.get()),
             "copying a number of rows");
  gpu::launch(gpu::find_not_finite<T>, {gpu::blocks_for(count), gpu::threads, 0, on.get()}, values.data,
              values.columns, count, first.as<unsigned long long>());
  gpu::check(cudaMemcpyAsync(&row, first.as<void>(), sizeof row, cudaMemcpyDeviceToHost, on.get()),
             "copying the number of a row");
  on.wait();
  return row;
}

template std::vector<float> rows_at(gpu_matrix<float>, std::span<const std::uint64_t>);
template std::vector<double> rows_at(gpu_matrix<double>, std::span<const std::uint64_t>);
template std::uint64_t first_row_not_finite(gpu_matrix<float>);
template std::uint64_t first_row_not_finite(gpu_matrix<double>);

}  // namespace duomap
