#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "numeric/svm/device_rows.cuh"
#include "numeric/svm/kernel_map.cuh"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace duomap::gpu {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_of(std::uint64_t count) { return static_cast<unsigned>((count + threads - 1) / threads); }

__global__ void scatter_rows(const std::uint64_t* row_start, const std::uint32_t* column_of,
                             const float* values, std::uint64_t rows, std::uint64_t columns, float* dense) {
  const std::uint64_t row = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / 32;
  if (row >= rows) return;
  const std::uint64_t begin = row_start[row] - row_start[0], end = row_start[row + 1] - row_start[0];
  for (std::uint64_t k = begin + threadIdx.x % 32; k < end; k += 32)
    dense[row * columns + column_of[k]] = values[k];
}

/// Computes |x|^2 and K(x, x) of each row, by one warp for each row.
template <bool Dense>
__global__ void square_rows(const std::uint64_t* row_start, const float* values, std::uint64_t rows,
                            std::uint64_t columns, kernel_map map, double* squares, float* diagonal) {
  const std::uint64_t row = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / 32;
  if (row >= rows) return;
  const std::uint64_t begin = Dense ? row * columns : row_start[row] - row_start[0];
  const std::uint64_t end = Dense ? begin + columns : row_start[row + 1] - row_start[0];
  double sum = 0;
  for (std::uint64_t k = begin + threadIdx.x % 32; k < end; k += 32)
    sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  for (unsigned step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(step));
  if (threadIdx.x % 32 != 0) return;
  squares[row] = sum;
  diagonal[row] = map(sum, sum, sum, true);
}

__global__ void widen_numbers(const float* from, std::uint64_t count, double* to) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = from[i];
}

template <class T>
device_buffer copied(std::span<const T> from, const stream& on) {
  device_buffer to(from.size_bytes(), on);
  if (!from.empty()) {
    check(cudaMemcpyAsync(to.template as<void>(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice,
                          on.get()),
          "copying rows to the device");
  }
  return to;
}

}  // namespace

device_rows::device_rows(const svm_rows& rows, const svm_kernel& kernel, device_row_form form,
                         const stream& on)
  : on_(on),
    rows_(rows.rows),
    columns_(rows.columns),
    form_{.sparse = form.sparse},
    squares_(rows_ * sizeof(double), on),
    diagonal_(rows_ * sizeof(float), on) {
  expects(!form.sparse || rows.is_sparse(), "rows that are kept sparse are sparse");
  if (!rows.is_sparse()) {
    dense_ = copied(rows.dense, on_);
  } else {
    upload_sparse(rows);
    if (!form.sparse) remove_gaps();
  }
  launch(form.sparse ? square_rows<false> : square_rows<true>, {blocks_of(rows_ * 32), threads, 0, on_.get()},
         row_start(), form.sparse ? values() : dense<float>(), rows_, columns_, kernel_map(kernel),
         squares_.as<double>(), diagonal_.as<float>());
  if (form.wide) widen();
}

void device_rows::upload_sparse(const svm_rows& rows) {
  const std::uint64_t begin = rows.row_start.front(), count = rows.entries();
  row_start_ = copied(rows.row_start.first(rows.rows + 1), on_);
  column_of_ = copied(rows.column_of.subspan(begin, count), on_);
  values_ = copied(rows.values.subspan(begin, count), on_);
}

void device_rows::remove_gaps() {
  dense_ = device_buffer(rows_ * columns_ * sizeof(float), on_);
  check(cudaMemsetAsync(dense_.as<void>(), 0, dense_.size(), on_.get()), "clearing device memory");
  launch(scatter_rows, {blocks_of(rows_ * 32), threads, 0, on_.get()}, row_start(), column_of(), values(),
         rows_, columns_, dense_.as<float>());
  row_start_ = device_buffer();
  column_of_ = device_buffer();
  values_ = device_buffer();
}

void device_rows::widen() {
  form_.wide = true;
  if (form_.sparse) return;
  const std::uint64_t count = rows_ * columns_;
  device_buffer wide(count * sizeof(double), on_);
  launch(widen_numbers, {blocks_of(count), threads, 0, on_.get()}, dense<float>(), count, wide.as<double>());
  dense_ = std::move(wide);
}

double device_rows::largest_square() const {
  std::vector<double> squares(rows_);
  if (rows_ == 0) return 0;
  check(cudaMemcpyAsync(squares.data(), squares_.as<void>(), squares_.size(), cudaMemcpyDeviceToHost,
                        on_.get()),
        "copying squares of rows");
  on_.wait();
  return *std::ranges::max_element(squares);
}

}  // namespace duomap::gpu
