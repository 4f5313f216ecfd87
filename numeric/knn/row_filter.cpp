// Compiles the filter of rows for each vector path, and chooses one.
#include "numeric/knn/row_filter.hpp"

#include "cpu/vector_lanes.hpp"
#include "numeric/knn/distance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap {
namespace {

namespace portable {

/// The path with vectors of 16 bytes, which every x86-64 and ARM has.
template <class T>
struct lanes {
  using number = T;
  using vector [[gnu::vector_size(16)]] = T;
  static constexpr unsigned width = 16 / sizeof(T), vectors = sizeof(T), queries = 8 / sizeof(T);
  static vector zero() { return vector{}; }
  static vector load(const T* from) {
    vector value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static void store(T* to, vector value) { std::memcpy(to, &value, sizeof value); }
  static vector broadcast(const T* from) { return vector{} + *from; }
  static vector add_square(vector sum, vector a, vector b) { return sum + (a - b) * (a - b); }
  static unsigned not_above(vector sum, vector limit) {
    unsigned bits = 0;
    for (unsigned i = 0; i < width; ++i) bits |= (sum[i] <= limit[i] ? 1u : 0u) << i;
    return bits;
  }
};

#define DUOMAP_ROW_FILTER_TARGET
#include "numeric/knn/row_filter_body.inc"
#undef DUOMAP_ROW_FILTER_TARGET

}  // namespace portable

#if defined(__x86_64__)

using namespace cpu::vector_lanes;

/// Loads the last columns of a row, padded with zeros.
template <class T>
struct tail {
  T values[8] = {};
  tail(const T* from, std::uint32_t count) { std::copy_n(from, count, values); }
};

namespace avx2 {

[[gnu::target("avx2,fma")]] inline unsigned lanes_not_above(__m256 sum, __m256 limit) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(sum, limit, _CMP_LE_OQ)));
}
[[gnu::target("avx2,fma")]] inline unsigned lanes_not_above(__m256d sum, __m256d limit) {
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(sum, limit, _CMP_LE_OQ)));
}

template <class T>
struct lanes {
  using number = T;
  using vector = decltype(everywhere(T{}));
  static constexpr unsigned width = sizeof(vector) / sizeof(T), vectors = 4, queries = 2;
  [[gnu::target("avx2,fma")]] static vector zero() { return everywhere(T{}); }
  [[gnu::target("avx2,fma")]] static vector load(const T* from) { return cpu::vector_lanes::load(from); }
  [[gnu::target("avx2,fma")]] static void store(T* to, vector value) { cpu::vector_lanes::store(to, value); }
  [[gnu::target("avx2,fma")]] static vector broadcast(const T* from) { return everywhere(*from); }
  [[gnu::target("avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = subtract(a, b);
    return fma(difference, difference, sum);
  }
  [[gnu::target("avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return lanes_not_above(sum, limit);
  }
};

#define DUOMAP_ROW_FILTER_TARGET [[gnu::target("avx2,fma")]]
#include "numeric/knn/row_filter_body.inc"
#undef DUOMAP_ROW_FILTER_TARGET

[[gnu::target("avx2,fma")]] inline __m256d four(const float* from) {
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
}
[[gnu::target("avx2,fma")]] inline __m256d four(const double* from) { return _mm256_loadu_pd(from); }

template <class T>
[[gnu::target("avx2,fma")]] inline __m256d add_square(__m256d sum, const T* a, const T* b) {
  const __m256d difference = _mm256_sub_pd(four(a), four(b));
  return _mm256_fmadd_pd(difference, difference, sum);
}

template <class T>
[[gnu::target("avx2,fma")]] double distance(const T* a, const T* b, std::uint32_t columns) {
  __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
  std::uint32_t first = 0;
  for (; first + 8 <= columns; first += 8) {
    low = add_square(low, a + first, b + first);
    high = add_square(high, a + first + 4, b + first + 4);
  }
  if (first < columns) {
    const tail<T> x(a + first, columns - first), y(b + first, columns - first);
    low = add_square(low, x.values, y.values);
    high = add_square(high, x.values + 4, y.values + 4);
  }
  // The sums are added as (0 + 4, 1 + 5, 2 + 6, 3 + 7), and then in the order of squared_distance().
  double sums[4];
  _mm256_storeu_pd(sums, _mm256_add_pd(low, high));
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace avx2
namespace avx512 {

[[gnu::target("avx512f,avx2,fma")]] inline unsigned lanes_not_above(__m512 sum, __m512 limit) {
  return _mm512_cmp_ps_mask(sum, limit, _CMP_LE_OQ);
}
[[gnu::target("avx512f,avx2,fma")]] inline unsigned lanes_not_above(__m512d sum, __m512d limit) {
  return _mm512_cmp_pd_mask(sum, limit, _CMP_LE_OQ);
}

template <class T>
struct lanes {
  using number = T;
  using vector = decltype(everywhere_wide(T{}));
  static constexpr unsigned width = sizeof(vector) / sizeof(T), vectors = 4, queries = 4;
  [[gnu::target("avx512f,avx2,fma")]] static vector zero() { return everywhere_wide(T{}); }
  [[gnu::target("avx512f,avx2,fma")]] static vector load(const T* from) { return load_wide(from); }
  [[gnu::target("avx512f,avx2,fma")]] static void store(T* to, vector value) {
    cpu::vector_lanes::store(to, value);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector broadcast(const T* from) {
    return everywhere_wide(*from);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = subtract(a, b);
    return fma(difference, difference, sum);
  }
  [[gnu::target("avx512f,avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return lanes_not_above(sum, limit);
  }
};

#define DUOMAP_ROW_FILTER_TARGET [[gnu::target("avx512f,avx2,fma")]]
#include "numeric/knn/row_filter_body.inc"
#undef DUOMAP_ROW_FILTER_TARGET

[[gnu::target("avx512f,avx2,fma")]] inline __m512d eight(const float* from) {
  return _mm512_cvtps_pd(_mm256_loadu_ps(from));
}
[[gnu::target("avx512f,avx2,fma")]] inline __m512d eight(const double* from) { return _mm512_loadu_pd(from); }

template <class T>
[[gnu::target("avx512f,avx2,fma")]] inline __m512d add_square(__m512d sum, const T* a, const T* b) {
  const __m512d difference = _mm512_sub_pd(eight(a), eight(b));
  return _mm512_fmadd_pd(difference, difference, sum);
}

template <class T>
[[gnu::target("avx512f,avx2,fma")]] double distance(const T* a, const T* b, std::uint32_t columns) {
  __m512d sums = _mm512_setzero_pd();
  std::uint32_t first = 0;
  for (; first + 8 <= columns; first += 8) sums = add_square(sums, a + first, b + first);
  if (first < columns) {
    const tail<T> x(a + first, columns - first), y(b + first, columns - first);
    sums = add_square(sums, x.values, y.values);
  }
  double each[8];
  _mm512_storeu_pd(each, sums);
  return ((each[0] + each[4]) + (each[2] + each[6])) + ((each[1] + each[5]) + (each[3] + each[7]));
}

}  // namespace avx512
#endif

}  // namespace

template <class T>
const row_filter<T>& row_filter_for(cpu::vector_path path) noexcept {
  static constexpr row_filter<T> with_any{portable::find_near<portable::lanes<T>>, squared_distance<T>};
#if defined(__x86_64__)
  static constexpr row_filter<T> with_avx2{avx2::find_near<avx2::lanes<T>>, avx2::distance<T>};
  static constexpr row_filter<T> with_avx512{avx512::find_near<avx512::lanes<T>>, avx512::distance<T>};
  if (!__builtin_cpu_supports("fma")) return with_any;
  return *cpu::way_for(path, &with_any, &with_avx2, &with_avx512);
#else
  static_cast<void>(path);
  return with_any;
#endif
}

template const row_filter<float>& row_filter_for<float>(cpu::vector_path path) noexcept;
template const row_filter<double>& row_filter_for<double>(cpu::vector_path path) noexcept;

}  // namespace duomap
