#include "apps/svm/device_kernel.cuh"
#include "apps/svm/kernel_map.cuh"
#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace duomap::gpu {

/// Rows whose kernel is computed at once.
struct device_kernel::panel {
  const device_kernel* from;
  std::uint64_t first;
  std::uint64_t count;

  [[nodiscard]] bool within(const device_kernel& all) const { return from == &all; }
};

namespace {

constexpr unsigned threads = 256;
constexpr unsigned spread_rows = 32;
constexpr std::uint64_t panel_rows = 4096;

unsigned blocks_of(std::uint64_t count) { return static_cast<unsigned>((count + threads - 1) / threads); }

__global__ void scatter_rows(const std::uint64_t* row_start, const std::uint32_t* column_of,
                             const float* values, std::uint64_t rows, std::uint64_t columns, float* dense) {
  const std::uint64_t row = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / 32;
  if (row >= rows) return;
  for (std::uint64_t k = row_start[row] + threadIdx.x % 32; k < row_start[row + 1]; k += 32)
    dense[row * columns + column_of[k]] = values[k];
}

/// |x|^2 and K(x, x); a warp for each row.
template <bool Dense>
__global__ void square_rows(const std::uint64_t* row_start, const float* values, std::uint64_t rows,
                            std::uint64_t columns, kernel_map map, double* squares, float* diagonal) {
  const std::uint64_t row = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / 32;
  if (row >= rows) return;
  const std::uint64_t end = Dense ? (row + 1) * columns : row_start[row + 1];
  double sum = 0;
  for (std::uint64_t k = (Dense ? row * columns : row_start[row]) + threadIdx.x % 32; k < end; k += 32)
    sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  for (unsigned step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(step));
  if (threadIdx.x % 32 != 0) return;
  squares[row] = sum;
  diagonal[row] = map(sum, sum, sum, true);
}

__global__ void widen(const float* from, std::uint64_t count, double* to) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = from[i];
}

/// Kernel values where products are (T is float: in place).
template <class T>
__global__ void map_products(const T* products, std::uint64_t stride, std::uint64_t first, std::uint64_t rows,
                             const double* row_squares, std::uint64_t columns, const double* squares,
                             bool same_rows, kernel_map map, float* values) {
  for (std::uint64_t r = blockIdx.y; r < rows; r += gridDim.y) {
    const std::uint64_t row = first + r;
    const T square = static_cast<T>(row_squares[row]);
    for (std::uint64_t c = blockIdx.x * blockDim.x + threadIdx.x; c < columns; c += gridDim.x * blockDim.x) {
      values[r * stride + c] =
          map(products[r * stride + c], square, static_cast<T>(squares[c]), same_rows && row == c);
    }
  }
}

/// Puts the entries of up to 32 rows, or zeros where they were, into their columns.
__global__ void spread_panel(const std::uint64_t* row_start, const std::uint32_t* column_of,
                             const float* values, std::uint64_t first, bool clear, float* spread) {
  const std::uint64_t row = first + blockIdx.x;
  for (std::uint64_t k = row_start[row] + threadIdx.x; k < row_start[row + 1]; k += blockDim.x)
    spread[std::uint64_t{column_of[k]} * spread_rows + blockIdx.x] = clear ? 0.0f : values[k];
}

/// Kernel values of the spread rows with 32 rows for each block: a warp multiplies one with all 32.
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
      for (std::uint64_t k = row_start[row]; k < row_start[row + 1]; ++k)
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

/// Sparse rows are made dense when that is no more than this many times their entries, or small: cuBLAS does
/// 30 times as many terms in the time.
constexpr std::uint64_t dense_for_entry = 16;
constexpr std::uint64_t few_columns = 1024;

bool stays_sparse(const svm_rows& rows) {
  return rows.is_sparse() && rows.columns > few_columns &&
         rows.rows * rows.columns / dense_for_entry > rows.values.size();
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

device_kernel::device_kernel(const svm_rows& rows, const svm_kernel& kernel, const stream& on)
  : on_(on), kernel_(kernel), rows_(rows.rows), columns_(rows.columns), sparse_(stays_sparse(rows)) {
  upload(rows);
  find_squares();
  if (kernel.kind == kernel_kind::rbf && rows_ > 0) {
    std::vector<double> squares(rows_);
    check(cudaMemcpyAsync(squares.data(), squares_.as<void>(), squares_.size(), cudaMemcpyDeviceToHost,
                          on_.get()),
          "copying squares of rows");
    on_.wait();
    // An exponent is off by about gamma |x|^2 2^-24.
    wide_ = kernel.gamma * *std::max_element(squares.begin(), squares.end()) > 128;
  }
  widen_values();
}

device_kernel::device_kernel(const svm_rows& rows, const device_kernel& with)
  : on_(with.on_),
    kernel_(with.kernel_),
    rows_(rows.rows),
    columns_(rows.columns),
    sparse_(with.sparse_),
    wide_(with.wide_) {
  expects(!sparse_ || rows.is_sparse(), "rows for a kernel of sparse rows are sparse");
  upload(rows);
  find_squares();
  widen_values();
}

void device_kernel::expect(std::uint64_t rows) {
  if (sparse_) return;
  // On an H200 cuBLAS does 51 TFLOP/s of 8192 x 8192 float32 numbers and duomap's kernel 34: 0.1 s of
  // difference, or less, below this.
  constexpr double few = 5e12;
  const double terms = static_cast<double>(rows) * static_cast<double>(rows_) * static_cast<double>(columns_);
  const bool own = terms < (wide_ ? few / 4 : few);
  if (product_ && (own || !uses_own_)) return;
  product_.emplace(own ? product_kind::ordered : product_kind::plain, on_);
  uses_own_ = own;
}

void device_kernel::find_squares() {
  squares_ = device_buffer(rows_ * sizeof(double), on_);
  diagonal_ = device_buffer(rows_ * sizeof(float), on_);
  launch(sparse_ ? square_rows<false> : square_rows<true>, {blocks_of(rows_ * 32), threads, 0, on_.get()},
         row_start_.as<std::uint64_t>(), sparse_ ? values_.as<float>() : dense_.as<float>(), rows_, columns_,
         kernel_map(kernel_), squares_.as<double>(), diagonal_.as<float>());
}

void device_kernel::widen_values() {
  if (!wide_ || sparse_) return;
  const std::uint64_t count = rows_ * columns_;
  wide_dense_ = device_buffer(count * sizeof(double), on_);
  launch(widen, {blocks_of(count), threads, 0, on_.get()}, dense_.as<float>(), count,
         wide_dense_.as<double>());
  dense_ = device_buffer();
}

void device_kernel::upload(const svm_rows& rows) {
  if (!rows.is_sparse()) {
    dense_ = copied(rows.dense, on_);
    return;
  }
  row_start_ = copied(rows.row_start, on_);
  column_of_ = copied(rows.column_of, on_);
  values_ = copied(rows.values, on_);
  if (!sparse_) {
    make_dense();
    return;
  }
  spread_ = device_buffer(columns_ * spread_rows * sizeof(float), on_);
  check(cudaMemsetAsync(spread_.as<void>(), 0, spread_.size(), on_.get()), "clearing device memory");
}

void device_kernel::make_dense() {
  dense_ = device_buffer(rows_ * columns_ * sizeof(float), on_);
  check(cudaMemsetAsync(dense_.as<void>(), 0, dense_.size(), on_.get()), "clearing device memory");
  launch(scatter_rows, {blocks_of(rows_ * 32), threads, 0, on_.get()}, row_start_.as<std::uint64_t>(),
         column_of_.as<std::uint32_t>(), values_.as<float>(), rows_, columns_, dense_.as<float>());
  row_start_ = device_buffer();
  column_of_ = device_buffer();
  values_ = device_buffer();
}

void device_kernel::compute(std::uint64_t first, std::uint64_t count, float* values) {
  compute_others(*this, first, count, values);
}

void device_kernel::compute_others(const device_kernel& other, std::uint64_t first, std::uint64_t count,
                                   float* values) {
  expects(other.columns_ == columns_ && other.sparse_ == sparse_, "rows of a kernel are of the same kind");
  for (std::uint64_t at = 0; at < count; at += panel_rows)
    compute_panel({&other, first + at, std::min(panel_rows, count - at)}, values + at * stride());
}

void device_kernel::compute_panel(const panel& of, float* values) {
  expects(sparse_ || product_.has_value(), "what is to come of a kernel is said before it is computed");
  if (sparse_) {
    multiply_sparse(of, values);
  } else if (wide_) {
    multiply<double>(of, wide_dense_, values);
  } else {
    multiply<float>(of, dense_, values);
  }
}

template <class T>
void device_kernel::multiply(const panel& of, const device_buffer& all, float* values) {
  const device_buffer& from = std::is_same_v<T, double> ? of.from->wide_dense_ : of.from->dense_;
  const T* const left = from.template as<T>() + of.first * columns_;
  T* products = nullptr;
  if constexpr (std::is_same_v<T, float>) {
    products = values;
  } else {
    const std::uint64_t bytes = of.count * stride() * sizeof(T);
    if (products_.size() < bytes) products_ = device_buffer(bytes, on_);
    products = products_.template as<T>();
  }
  product_->multiply<T>(of.count, rows_, columns_, {left, columns_, false},
                        {all.template as<T>(), columns_, true}, {products, stride()});
  const dim3 grid(std::min(blocks_of(rows_), 1024u), static_cast<unsigned>(of.count));
  launch(map_products<T>, {grid, threads, 0, on_.get()}, products, stride(), of.first, of.count,
         of.from->squares(), rows_, squares(), of.within(*this), kernel_map(kernel_), values);
}

void device_kernel::multiply_sparse(const panel& of, float* values) {
  for (std::uint64_t at = 0; at < of.count; at += spread_rows) {
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(spread_rows, of.count - at));
    const auto spread = [&](bool clear) {
      launch(spread_panel, {count, 128, 0, on_.get()}, of.from->row_start_.as<std::uint64_t>(),
             of.from->column_of_.as<std::uint32_t>(), of.from->values_.as<float>(), of.first + at, clear,
             spread_.as<float>());
    };
    spread(false);
    launch(wide_ ? multiply_spread<double> : multiply_spread<float>,
           {static_cast<unsigned>((rows_ + 31) / 32), threads, 0, on_.get()}, row_start_.as<std::uint64_t>(),
           column_of_.as<std::uint32_t>(), values_.as<float>(), rows_, spread_.as<float>(), of.first + at,
           count, of.from->squares(), squares(), of.within(*this), kernel_map(kernel_),
           values + at * stride(), stride());
    spread(true);
  }
}

}  // namespace duomap::gpu
