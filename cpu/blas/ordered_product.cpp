#include "cpu/blas/ordered_product.hpp"

#include "cpu/features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap::cpu {
namespace {

// Elements that are computed at once stay in registers: `rows` times `columns` of them.
constexpr std::size_t rows = 6;
template <class T>
constexpr std::size_t columns = 128 / sizeof(T);  // two registers of AVX-512, four of AVX2

// Terms of one round: what of `right` belongs to `columns` then takes 32 KiB, as much as the first cache has.
constexpr std::uint64_t terms_at_once = 256;

/// Adds `terms` terms to `rows` x `columns` sums: `left[i]` are those of row i, `panel` has `columns` numbers
/// for each term.
template <class T>
using kernel = void (*)(std::uint64_t terms, const std::array<const T*, rows>& left, const T* panel, T* sums,
                        std::uint64_t stride);

template <class T>
void add_portable(std::uint64_t terms, const std::array<const T*, rows>& left, const T* panel, T* sums,
                  std::uint64_t stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint64_t k = 0; k < terms; ++k) {
      for (std::size_t j = 0; j < columns<T>; ++j) {
        T& sum = sums[i * stride + j];
        sum = std::fma(left[i][k], panel[k * columns<T> + j], sum);
      }
    }
  }
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
[[gnu::target("avx2,fma")]] inline __m256d load(const double* from) { return _mm256_loadu_pd(from); }
[[gnu::target("avx2,fma")]] inline void store(float* to, __m256 x) { _mm256_storeu_ps(to, x); }
[[gnu::target("avx2,fma")]] inline void store(double* to, __m256d x) { _mm256_storeu_pd(to, x); }
[[gnu::target("avx2,fma")]] inline __m256 everywhere(float x) { return _mm256_set1_ps(x); }
[[gnu::target("avx2,fma")]] inline __m256d everywhere(double x) { return _mm256_set1_pd(x); }
[[gnu::target("avx2,fma")]] inline __m256 fma(__m256 a, __m256 b, __m256 c) {
  return _mm256_fmadd_ps(a, b, c);
}
[[gnu::target("avx2,fma")]] inline __m256d fma(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}

// Two of the four registers of a row at a time: AVX2 has 16 registers, and these take 12.
template <class T>
[[gnu::target("avx2,fma")]] void add_avx2(std::uint64_t terms, const std::array<const T*, rows>& left,
                                          const T* panel, T* sums, std::uint64_t stride) {
  using vector = decltype(everywhere(T{}));
  constexpr std::size_t width = sizeof(vector) / sizeof(T);
  for (std::size_t first = 0; first < columns<T>; first += 2 * width) {
    vector sum[rows][2];
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 2; ++j) sum[i][j] = load(sums + i * stride + first + j * width);
    }
    for (std::uint64_t k = 0; k < terms; ++k) {
      const T* const right = panel + k * columns<T> + first;
      const vector right0 = load(right);
      const vector right1 = load(right + width);
      for (std::size_t i = 0; i < rows; ++i) {
        const vector factor = everywhere(left[i][k]);
        sum[i][0] = fma(factor, right0, sum[i][0]);
        sum[i][1] = fma(factor, right1, sum[i][1]);
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 2; ++j) store(sums + i * stride + first + j * width, sum[i][j]);
    }
  }
}

[[gnu::target("avx512f")]] inline __m512 load_wide(const float* from) { return _mm512_loadu_ps(from); }
[[gnu::target("avx512f")]] inline __m512d load_wide(const double* from) { return _mm512_loadu_pd(from); }
[[gnu::target("avx512f")]] inline void store(float* to, __m512 x) { _mm512_storeu_ps(to, x); }
[[gnu::target("avx512f")]] inline void store(double* to, __m512d x) { _mm512_storeu_pd(to, x); }
[[gnu::target("avx512f")]] inline __m512 everywhere_wide(float x) { return _mm512_set1_ps(x); }
[[gnu::target("avx512f")]] inline __m512d everywhere_wide(double x) { return _mm512_set1_pd(x); }
[[gnu::target("avx512f")]] inline __m512 fma(__m512 a, __m512 b, __m512 c) {
  return _mm512_fmadd_ps(a, b, c);
}
[[gnu::target("avx512f")]] inline __m512d fma(__m512d a, __m512d b, __m512d c) {
  return _mm512_fmadd_pd(a, b, c);
}

template <class T>
[[gnu::target("avx512f")]] void add_avx512(std::uint64_t terms, const std::array<const T*, rows>& left,
                                           const T* panel, T* sums, std::uint64_t stride) {
  using vector = decltype(everywhere_wide(T{}));
  constexpr std::size_t width = sizeof(vector) / sizeof(T);
  vector sum[rows][2];
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < 2; ++j) sum[i][j] = load_wide(sums + i * stride + j * width);
  }
  for (std::uint64_t k = 0; k < terms; ++k) {
    const vector right0 = load_wide(panel + k * columns<T>);
    const vector right1 = load_wide(panel + k * columns<T> + width);
    for (std::size_t i = 0; i < rows; ++i) {
      const vector factor = everywhere_wide(left[i][k]);
      sum[i][0] = fma(factor, right0, sum[i][0]);
      sum[i][1] = fma(factor, right1, sum[i][1]);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < 2; ++j) store(sums + i * stride + j * width, sum[i][j]);
  }
}

#endif

template <class T>
kernel<T> kernel_for(vector_path path) {
#if defined(__x86_64__)
  if (path == vector_path::avx512) return add_avx512<T>;
  if (path == vector_path::avx2 && __builtin_cpu_supports("fma")) return add_avx2<T>;
#endif
  return add_portable<T>;
}

/// Numbers of `right` for some terms and some columns, term by term; zeros where there is no column.
template <class T>
void pack(operand<T> right, std::uint64_t term, std::uint64_t terms, std::uint64_t column,
          std::uint64_t present, T* panel) {
  for (std::uint64_t k = 0; k < terms; ++k) {
    T* const to = panel + k * columns<T>;
    std::fill(to + present, to + columns<T>, T{});
    if (!right.transposed) std::copy_n(right.data + (term + k) * right.stride + column, present, to);
  }
  if (!right.transposed) return;
  for (std::uint64_t j = 0; j < present; ++j) {
    const T* const from = right.data + (column + j) * right.stride + term;
    for (std::uint64_t k = 0; k < terms; ++k) panel[k * columns<T> + j] = from[k];
  }
}

template <class T>
void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
              result_operand<T> out) {
  const kernel<T> add = kernel_for<T>(active_vector_path());
  std::vector<T> panel(terms_at_once * columns<T>);
  std::array<T, rows * columns<T>> edge{};
  for (std::uint64_t i = 0; i < m; ++i) std::fill_n(out.data + i * out.stride, n, T{});
  for (std::uint64_t term = 0; term < k; term += terms_at_once) {
    const std::uint64_t terms = std::min(terms_at_once, k - term);
    for (std::uint64_t column = 0; column < n; column += columns<T>) {
      const std::uint64_t present = std::min<std::uint64_t>(columns<T>, n - column);
      pack(right, term, terms, column, present, panel.data());
      for (std::uint64_t row = 0; row < m; row += rows) {
        const std::uint64_t there = std::min<std::uint64_t>(rows, m - row);
        std::array<const T*, rows> factors;
        for (std::size_t i = 0; i < rows; ++i)
          factors[i] = left.data + (row + std::min<std::uint64_t>(i, there - 1)) * left.stride + term;
        T* const to = out.data + row * out.stride + column;
        if (there == rows && present == columns<T>) {
          add(terms, factors, panel.data(), to, out.stride);
          continue;
        }
        // A part of a tile, at an edge: computed as a whole one beside the matrix.
        for (std::uint64_t i = 0; i < there; ++i)
          std::copy_n(to + i * out.stride, present, edge.data() + i * columns<T>);
        add(terms, factors, panel.data(), edge.data(), columns<T>);
        for (std::uint64_t i = 0; i < there; ++i)
          std::copy_n(edge.data() + i * columns<T>, present, to + i * out.stride);
      }
    }
  }
}

}  // namespace

void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left,
                       operand<float> right, result_operand<float> out) {
  multiply(m, n, k, left, right, out);
}

void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                       operand<double> right, result_operand<double> out) {
  multiply(m, n, k, left, right, out);
}

}  // namespace duomap::cpu
