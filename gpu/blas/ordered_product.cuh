// Multiplies matrices and adds the terms in the order of k, each by one fused multiply-add. So the result has
// the same bits for any division of the work, and the same bits as on the CPU (cpu/blas/ordered_product.hpp).
#pragma once

#include "core/product.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

/// The sizes of a block's work: `side` x `side` elements of the result, `depth` terms at a time, and
/// `per_thread` x `per_thread` elements in each thread's registers. A thread's elements are two groups in
/// each direction, so that a warp reads its factors from different banks.
template <class T>
struct product_tile {
  static constexpr unsigned threads = 256;
  static constexpr unsigned threads_across = 16;
  static constexpr unsigned per_thread = sizeof(T) == 4 ? 8 : 4;
  static constexpr unsigned group = per_thread / 2;
  static constexpr unsigned side = per_thread * threads_across;
  static constexpr unsigned depth = 16;
  static constexpr unsigned loads = side * depth / threads;  // loads of each thread from each factor
  // The distance of rows in shared memory, a multiple of 16 bytes. It is a little more than `side`, so that
  // elements one below the other are in different banks.
  static constexpr unsigned stride = side + 16 / sizeof(T);
};

template <class T>
struct alignas(16) product_vector {
  T of[product_tile<T>::group];
};

/// Loads a block's part of a factor for `depth` terms: elements (position, term), where a position is a row
/// of the left factor or a column of the right one.
template <class T, bool TermsAreAdjacent>
class factor_loader {
  using tile = product_tile<T>;

 public:
  __device__ factor_loader(const T* data, std::uint64_t stride, std::uint64_t first, std::uint64_t end)
    : data_(data), stride_(stride), first_(first), end_(end) {}

  /// Loads elements into registers. Terms from `terms` on, and positions outside the matrix, become zero.
  __device__ void load(std::uint64_t term, std::uint64_t terms) {
#pragma unroll
    for (unsigned i = 0; i < tile::loads; ++i) {
      const std::uint64_t at = first_ + position(i);
      const std::uint64_t k = term + term_of(i);
      kept_[i] = T{};
      if (at < end_ && k < terms)
        kept_[i] = TermsAreAdjacent ? data_[at * stride_ + k] : data_[k * stride_ + at];
    }
  }

  __device__ void store(T (*shared)[tile::stride]) const {
#pragma unroll
    for (unsigned i = 0; i < tile::loads; ++i) shared[term_of(i)][position(i)] = kept_[i];
  }

 private:
  // Neighbouring threads read neighbouring elements.
  static constexpr unsigned fast = TermsAreAdjacent ? tile::depth : tile::side;

  [[nodiscard]] static __device__ unsigned number(unsigned i) { return i * tile::threads + threadIdx.x; }
  [[nodiscard]] static __device__ unsigned position(unsigned i) {
    return TermsAreAdjacent ? number(i) / fast : number(i) % fast;
  }
  [[nodiscard]] static __device__ unsigned term_of(unsigned i) {
    return TermsAreAdjacent ? number(i) % fast : number(i) / fast;
  }

  const T* data_;
  std::uint64_t stride_;
  std::uint64_t first_;
  std::uint64_t end_;
  T kept_[tile::loads];
};

template <class T>
__device__ void add_term(T (&sums)[product_tile<T>::per_thread][product_tile<T>::per_thread], const T* left,
                         const T* right) {
  using tile = product_tile<T>;
  using vector = product_vector<T>;
  const unsigned row = threadIdx.x / tile::threads_across * tile::group;
  const unsigned column = threadIdx.x % tile::threads_across * tile::group;
  vector a[2];
  vector b[2];
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    a[half] = *reinterpret_cast<const vector*>(left + half * tile::side / 2 + row);
    b[half] = *reinterpret_cast<const vector*>(right + half * tile::side / 2 + column);
  }
#pragma unroll
  for (unsigned i = 0; i < tile::per_thread; ++i) {
#pragma unroll
    for (unsigned j = 0; j < tile::per_thread; ++j) {
      const T x = a[i / tile::group].of[i % tile::group];
      const T y = b[j / tile::group].of[j % tile::group];
      if constexpr (std::is_same_v<T, float>) {
        sums[i][j] = __fmaf_rn(x, y, sums[i][j]);
      } else {
        sums[i][j] = __fma_rn(x, y, sums[i][j]);
      }
    }
  }
}

template <class T, bool RightIsTransposed>
__global__ void __launch_bounds__(product_tile<T>::threads, 2)
    ordered_product(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
                    result_operand<T> out) {
  using tile = product_tile<T>;
  __shared__ __align__(16) T left_tile[2][tile::depth][tile::stride];
  __shared__ __align__(16) T right_tile[2][tile::depth][tile::stride];
  const std::uint64_t tiles_across = (n + tile::side - 1) / tile::side;
  const std::uint64_t first_row = blockIdx.x / tiles_across * tile::side;
  const std::uint64_t first_column = blockIdx.x % tiles_across * tile::side;

  factor_loader<T, true> rows(left.data, left.stride, first_row, m);
  factor_loader<T, RightIsTransposed> columns(right.data, right.stride, first_column, n);
  T sums[tile::per_thread][tile::per_thread] = {};
  rows.load(0, k);
  columns.load(0, k);
  unsigned now = 0;
  for (std::uint64_t term = 0; term < k; term += tile::depth) {
    rows.store(left_tile[now]);
    columns.store(right_tile[now]);
    // One barrier for each tile is enough: a thread behind it no longer reads the other buffer.
    __syncthreads();
    if (term + tile::depth < k) {
      rows.load(term + tile::depth, k);
      columns.load(term + tile::depth, k);
    }
    if (term + tile::depth <= k) {
#pragma unroll
      for (unsigned i = 0; i < tile::depth; ++i) add_term<T>(sums, left_tile[now][i], right_tile[now][i]);
    } else {
      // Skips the missing terms instead of adding zeros, which would turn a sum of -0 into +0.
      for (unsigned i = 0; term + i < k; ++i) add_term<T>(sums, left_tile[now][i], right_tile[now][i]);
    }
    now ^= 1;
  }

  const unsigned row = threadIdx.x / tile::threads_across * tile::group;
  const unsigned column = threadIdx.x % tile::threads_across * tile::group;
#pragma unroll
  for (unsigned i = 0; i < tile::per_thread; ++i) {
    const std::uint64_t y = first_row + i / tile::group * (tile::side / 2) + row + i % tile::group;
#pragma unroll
    for (unsigned j = 0; j < tile::per_thread; ++j) {
      const std::uint64_t x = first_column + j / tile::group * (tile::side / 2) + column + j % tile::group;
      if (y < m && x < n) out.data[y * out.stride + x] = sums[i][j];
    }
  }
}

}  // namespace detail

/// Queues out = left * right (right^T if it is transposed), as cublas::multiply() does. `left` must not be
/// transposed.
template <class T>
void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
                       result_operand<T> out, const stream& on) {
  using tile = detail::product_tile<T>;
  const std::uint64_t blocks = (m + tile::side - 1) / tile::side * ((n + tile::side - 1) / tile::side);
  launch(right.transposed ? detail::ordered_product<T, true> : detail::ordered_product<T, false>,
         {static_cast<unsigned>(blocks), tile::threads, 0, on.get()}, m, n, k, left, right, out);
}

}  // namespace duomap::gpu
