#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "numeric/svm/device_kernel.cuh"
#include "numeric/svm/kernel_map.cuh"

#include <algorithm>
#include <type_traits>

namespace duomap::gpu {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned spread_rows = 32;
/// The number of rows whose products are computed at once, if products need a buffer of their own.
constexpr std::uint64_t rows_at_once = 4096;

unsigned blocks_of(std::uint64_t count) { return static_cast<unsigned>((count + threads - 1) / threads); }

/// Turns products into kernel values, in place if T is float.
template <class T>
__global__ void map_products(const T* products, std::uint64_t products_stride, std::uint64_t first,
                             std::uint64_t rows, const double* row_squares, std::uint64_t columns,
                             const double* squares, bool same_rows, kernel_map map, float* values,
                             std::uint64_t stride) {
  for (std::uint64_t r = blockIdx.y; r < rows; r += gridDim.y) {
    const std::uint64_t row = first + r;
    const T square = static_cast<T>(row_squares[row]);
    for (std::uint64_t c = blockIdx.x * blockDim.x + threadIdx.x; c < columns; c += gridDim.x * blockDim.x) {
      values[r * stride + c] =
          map(products[r * products_stride + c], square, static_cast<T>(squares[c]), same_rows && row == c);
    }
  }
}

/// Writes the entries of up to 32 rows into their columns. With `clear`, writes zeros there instead.
__global__ void spread_panel(const std::uint64_t* row_start, const std::uint32_t* column_of,
                             const float* values, std::uint64_t first, bool clear, float* spread) {
  const std::uint64_t row = first + blockIdx.x;
  const std::uint64_t begin = row_start[row] - row_start[0], end = row_start[row + 1] - row_start[0];
  for (std::uint64_t k = begin + threadIdx.x; k < end; k += blockDim.x)
    spread[std::uint64_t{column_of[k]} * spread_rows + blockIdx.x] = clear ? 0.0f : values[k];
}

/// Computes kernel values of the spread rows. Each block of threads takes 32 other rows, and each warp
/// multiplies one of these with all spread rows.
template <class T>
__global__ void __launch_bounds__(threads)
    multiply_spread(const std::uint64_t* row_start, const std::uint32_t* column_of, const float* values,
                    std::uint64_t rows, const float* spread, std::uint64_t first, unsigned count,
                    const double* row_squares, const double* squares, bool same_rows, kernel_map map,
                    float* out, std::uint64_t stride) {
  __shared__ T sums[spread_rows][33];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  for (unsigned r = warp; r < 32; r += threads / 32) {
    const std::uint64_t row = blockIdx.x * std::uint64_t{32} + r;
    T sum = 0;
    if (row < rows) {
      const std::uint64_t begin = row_start[row] - row_start[0], end = row_start[row + 1] - row_start[0];
      for (std::uint64_t k = begin; k < end; ++k)
        sum += static_cast<T>(values[k]) *
               static_cast<T>(spread[std::uint64_t{column_of[k]} * spread_rows + lane]);
    }
    sums[lane][r] = sum;
  }
  __syncthreads();
  const std::uint64_t column = blockIdx.x * std::uint64_t{32} + lane;
  if (column >= rows) return;
  for (unsigned p = warp; p < count; p += threads / 32) {
    const std::uint64_t row = first + p;
    out[p * stride + column] = map(sums[p][lane], static_cast<T>(row_squares[row]),
                                   static_cast<T>(squares[column]), same_rows && row == column);
  }
}

}  // namespace

device_kernel::device_kernel(const svm_kernel& kernel, device_row_form form, std::uint64_t columns,
                             std::uint64_t product_bytes, double values, const stream& on)
  : on_(on), kernel_(kernel), form_(form), columns_(columns), product_bytes_(product_bytes) {
  expect(values);
  if (!form_.sparse) return;
  spread_ = device_buffer(columns_ * spread_rows * sizeof(float), on_);
  check(cudaMemsetAsync(spread_.as<void>(), 0, spread_.size(), on_.get()), "clearing device memory");
}

bool device_kernel::needs_float64(const svm_kernel& kernel, double largest_square) noexcept {
  // Rounding to float32 changes the exponent by about gamma |x|^2 2^-24.
  return kernel.kind == kernel_kind::rbf && kernel.gamma * largest_square > 128;
}

void device_kernel::expect(double values) {
  if (form_.sparse) return;
  // With fewer multiplications than this, cuBLAS would save an H200 at most 0.1 s.
  constexpr double few = 5e12;
  const bool own = values * static_cast<double>(columns_) < (form_.wide ? few / 4 : few);
  if (product_ && (own || !uses_own_)) return;
  product_.emplace(own ? product_kind::ordered : product_kind::plain, on_);
  uses_own_ = own;
}

void device_kernel::compute(const device_rows& left, std::uint64_t first, std::uint64_t count,
                            const device_rows& right, float* values, std::uint64_t stride) {
  for (const device_rows* const side : {&left, &right})
    expects(side->form() == form_, "rows of a kernel are kept alike");
  std::uint64_t most = rows_at_once;
  if (form_.wide && !form_.sparse)
    most = std::clamp<std::uint64_t>(product_bytes_ / (stride_of(right.rows()) * sizeof(double)), 1, most);
  for (std::uint64_t at = 0; at < count; at += most) {
    const panel part{left, first + at, std::min(most, count - at), right, values + at * stride, stride};
    if (form_.sparse) {
      multiply_sparse(part);
    } else if (form_.wide) {
      multiply<double>(part);
    } else {
      multiply<float>(part);
    }
  }
}

template <class T>
void device_kernel::multiply(const panel& of) {
  const std::uint64_t columns = of.right.rows();
  T* products = nullptr;
  std::uint64_t stride = of.stride;
  if constexpr (std::is_same_v<T, float>) {
    products = of.values;
  } else {
    stride = stride_of(columns);
    const std::uint64_t bytes = of.count * stride * sizeof(T);
    if (products_.size() < bytes) products_ = device_buffer(bytes, on_);
    products = products_.template as<T>();
  }
  product_->multiply<T>(of.count, columns, columns_,
                        {of.left.template dense<T>() + of.first * columns_, columns_, false},
                        {of.right.template dense<T>(), columns_, true}, {products, stride});
  const dim3 grid(std::min(blocks_of(columns), 1024u), static_cast<unsigned>(of.count));
  launch(map_products<T>, {grid, threads, 0, on_.get()}, products, stride, of.first, of.count,
         of.left.squares(), columns, of.right.squares(), &of.left == &of.right, kernel_map(kernel_),
         of.values, of.stride);
}

void device_kernel::multiply_sparse(const panel& of) {
  for (std::uint64_t at = 0; at < of.count; at += spread_rows) {
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(spread_rows, of.count - at));
    const auto spread = [&](bool clear) {
      launch(spread_panel, {count, 128, 0, on_.get()}, of.left.row_start(), of.left.column_of(),
             of.left.values(), of.first + at, clear, spread_.as<float>());
    };
    spread(false);
    launch(form_.wide ? multiply_spread<double> : multiply_spread<float>,
           {static_cast<unsigned>((of.right.rows() + 31) / 32), threads, 0, on_.get()}, of.right.row_start(),
           of.right.column_of(), of.right.values(), of.right.rows(), spread_.as<float>(), of.first + at,
           count, of.left.squares(), of.right.squares(), &of.left == &of.right, kernel_map(kernel_),
           of.values + at * of.stride, of.stride);
    spread(true);
  }
}

}  // namespace duomap::gpu
