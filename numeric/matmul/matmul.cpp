// Multiplies matrices: decides between the calling thread and a job, and about grains and packed factors.
#include "numeric/matmul/matmul.hpp"

#include "cpu/blas/ordered_product.hpp"
#include "cpu/features.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/shared_parts.hpp"
#include "numeric/common/cpu_product.hpp"
#include "numeric/matmul/row_product.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace duomap {
namespace {

std::string size_text(std::uint64_t rows, std::uint64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

// Whether the calling thread does a product alone, in one grain. The first product of a process would have to
// start oneTBB's threads: with two workers, 512 x 512 floats take 3.4 ms instead of 2.4 (decision 39). A
// caller that multiplies often gets threads once its products have taken as long as starting the threads.
// Without vector instructions, each term is a call of std::fma, so no product counts as small.
template <class T>
bool done_by_caller(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  static std::atomic<double> done_alone = 0;  // operations
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
                            (sizeof(T) / sizeof(float));
  const bool threads = cpu::threads_have_started() || done_alone.load(std::memory_order_relaxed) > 5e8;
  const bool vectors = cpu::active_vector_path() != cpu::vector_path::portable;
  if (torture || !vectors || operations > (threads ? 1e8 : 3e8)) return false;
  done_alone.fetch_add(operations, std::memory_order_relaxed);
  return true;
}

// The number of rows in a grain. A run needs several grains to find its split, so a grain is as small as
// nearly full speed allows: 64 rows with a factor that is packed once, more with OpenBLAS, which packs the
// factor for each grain. GPUs are faster with multiples of 64, too: with grains of 24 rows, products of 8192
// took an H200 1.2 times as long. Large products get larger grains, but enough grains for all workers.
std::uint64_t rows_per_grain(std::uint64_t rows, unsigned workers, bool packed_once) {
  const std::uint64_t least = packed_once ? 64 : 128;
  const std::uint64_t most = packed_once ? 256 : 1024;
  const std::uint64_t of_each = (rows + workers - 1) / workers;
  const std::uint64_t some =
      std::clamp<std::uint64_t>(rows / ((packed_once ? 8 : 2) * workers), std::min(least, of_each), most);
  return some < least ? some : some / least * least;
}

// The number of the right factor's columns that GPUs take at once: they fill half of the smallest GPU's
// memory. The other half is for rows on their way in and out. Only a large factor makes this look for GPUs,
// because looking takes time.
std::uint64_t columns_at_once(std::uint64_t terms, std::uint64_t columns, std::uint64_t element_bytes,
                              const run_options& options) {
  constexpr std::uint64_t fits_any_gpu = std::uint64_t{1} << 30;
  if (options.device == device_choice::cpu || terms * columns * element_bytes <= fits_any_gpu) return columns;
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  for (const gpu::device_info& one : gpu::discover().devices) bytes = std::min(bytes, one.memory_bytes / 2);
  return std::clamp<std::uint64_t>(bytes / (terms * element_bytes), 1, columns);
}

/// The largest absolute value; NaN if a number is not whole.
template <class T>
double largest_of_whole(matrix_view<T> numbers) {
  T largest = 0;
  for (const T one : numbers.values()) {
    if (one != std::nearbyint(one) || std::isinf(one)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, std::abs(one));
  }
  return static_cast<double>(largest);
}

}  // namespace

template <class T>
double largest_whole_sum(matrix_view<T> left, matrix_view<T> right) {
  const double sum = largest_of_whole(left) * static_cast<double>(left.columns) * largest_of_whole(right);
  return sum > 0 ? sum : 0;
}

template <class T>
void matmul(matrix_view<T> left, matrix_view<T> right, std::span<T> product, const matmul_options& options) {
  if (left.columns != right.rows) {
    throw usage_error("a matrix of " + size_text(left.rows, left.columns) +
                      " numbers cannot be multiplied by " + "one of " + size_text(right.rows, right.columns) +
                      ": the first must have as many columns as the second has rows");
  }
  if (product.size() != left.rows * right.columns) {
    throw usage_error("the product has " + size_text(left.rows, right.columns) +
                      " numbers, and there is room for " + std::to_string(product.size()));
  }
  if (left.columns > std::numeric_limits<std::uint32_t>::max())
    throw usage_error("rows of the first factor may have up to 2^32 numbers, and these have " +
                      std::to_string(left.columns));
  if (product.empty()) return;
  if (left.columns == 0) {
    std::fill(product.begin(), product.end(), T{});
    return;
  }
  const input rows = view_input(left.bytes(), "the first factor");
  const bool alone = done_by_caller<T>(left.rows, right.columns, left.columns);
  const std::unique_ptr<worker_pool> pool =
      alone ? std::make_unique<sequential>() : cpu::machine_pool(options.run.threads, rows);
  const std::uint64_t step = columns_at_once(right.rows, right.columns, sizeof(T), options.run);
  // OpenBLAS packs the right factor for each grain, which pays only with many rows for each worker. On two
  // cores of a Xeon, 2,048 rows paid (400 ms for 4096 x 4096, against at least 440 in order), and 1,024 did
  // not.
  const bool many_rows = left.rows / pool->workers() >= 2048;
  const double operations = many_rows
                                ? 2.0 * static_cast<double>(left.rows) * static_cast<double>(right.columns) *
                                      static_cast<double>(left.columns)
                                : 0;
  // A single executor needs no packed factor. Its fresh memory would cost 1 us for each page, and a part of
  // the factor stays in the cache anyway.
  const bool packed_once = !alone && computed_in_order(options.kind, operations);
  for (std::uint64_t column = 0; column < right.columns; column += step) {
    const std::uint64_t columns = std::min(step, right.columns - column);
    std::optional<cpu::packed_factor<T>> packed;
    if (packed_once && options.run.device != device_choice::gpu)
      packed.emplace(columns, right.rows, operand<T>{right.data + column, right.columns});
    const auto right_parts = std::make_shared<gpu::shared_parts>();
    const row_product<T> task{
        .right = {right.data + column, right.columns},
        .out = {product.data() + column, right.columns},
        .terms = static_cast<std::uint32_t>(left.columns),
        .columns = columns,
        .rows_per_grain = alone ? left.rows : rows_per_grain(left.rows, pool->workers(), packed_once),
        .kind = options.kind,
        .operations_in_all = operations,
        .packed = packed ? &*packed : nullptr,
        .right_parts = &right_parts,
    };
    static_cast<void>(run(task, rows, *pool, options.run));
  }
}

template <class T>
matrix<T> matmul(matrix_view<T> left, matrix_view<T> right, const matmul_options& options) {
  matrix<T> product(left.rows, right.columns, "the product");
  matmul(left, right, std::span<T>(product.data(), left.rows * right.columns), options);
  return product;
}

template <class T>
void matmul(gpu_matrix<T> left, gpu_matrix<T> right, std::span<T> product, const matmul_options& options) {
#if DUOMAP_HAS_CUDA
  require_device_of_matrix(options.run.device, {}, right.gpu, "the second factor");
  require_one_gpu(left.gpu, "the first factor lies", right.gpu, "the second");
  if (left.columns == 0 && !product.empty())
    throw usage_error("factors in the memory of a GPU need numbers, and rows of the first have none");
  matmul_options on_gpu = options;
  on_gpu.run = on_its_gpu(options.run, left.gpu, "the first factor");
  matmul(left.view(), right.view(), product, on_gpu);
#else
  static_cast<void>(left), static_cast<void>(right), static_cast<void>(product), static_cast<void>(options);
  throw device_unavailable(no_code_for_gpu_matrices);
#endif
}

template double largest_whole_sum(matrix_view<float>, matrix_view<float>);
template double largest_whole_sum(matrix_view<double>, matrix_view<double>);
template void matmul(gpu_matrix<float>, gpu_matrix<float>, std::span<float>, const matmul_options&);
template void matmul(gpu_matrix<double>, gpu_matrix<double>, std::span<double>, const matmul_options&);
template matrix<float> matmul(matrix_view<float>, matrix_view<float>, const matmul_options&);
template matrix<double> matmul(matrix_view<double>, matrix_view<double>, const matmul_options&);
template void matmul(matrix_view<float>, matrix_view<float>, std::span<float>, const matmul_options&);
template void matmul(matrix_view<double>, matrix_view<double>, std::span<double>, const matmul_options&);

}  // namespace duomap
