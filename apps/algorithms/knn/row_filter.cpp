#include "apps/algorithms/knn/row_filter.hpp"

#include "apps/algorithms/knn/distance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap {
namespace {

namespace portable {

/// Registers of 16 bytes, which every x86-64 and ARM has.
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
#include "apps/algorithms/knn/row_filter_body.inc"
#undef DUOMAP_ROW_FILTER_TARGET

}  // namespace portable

#if defined(__x86_64__)

/// The last columns of a row, filled up with zeros.
template <class T>
struct tail {
  T values[8] = {};
  tail(const T* from, std::uint32_t count) { std::copy_n(from, count, values); }
};

namespace avx2 {

struct float_lanes {
  using number = float;
  using vector = __m256;
  static constexpr unsigned width = 8, vectors = 4, queries = 2;
  [[gnu::target("avx2,fma")]] static vector zero() { return _mm256_setzero_ps(); }
  [[gnu::target("avx2,fma")]] static vector load(const float* from) { return _mm256_loadu_ps(from); }
  [[gnu::target("avx2,fma")]] static void store(float* to, vector value) { _mm256_storeu_ps(to, value); }
  [[gnu::target("avx2,fma")]] static vector broadcast(const float* from) { return _mm256_broadcast_ss(from); }
  [[gnu::target("avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = _mm256_sub_ps(a, b);
    return _mm256_fmadd_ps(difference, difference, sum);
  }
  [[gnu::target("avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(sum, limit, _CMP_LE_OQ)));
  }
};

struct double_lanes {
  using number = double;
  using vector = __m256d;
  static constexpr unsigned width = 4, vectors = 4, queries = 2;
  [[gnu::target("avx2,fma")]] static vector zero() { return _mm256_setzero_pd(); }
  [[gnu::target("avx2,fma")]] static vector load(const double* from) { return _mm256_loadu_pd(from); }
  [[gnu::target("avx2,fma")]] static void store(double* to, vector value) { _mm256_storeu_pd(to, value); }
  [[gnu::target("avx2,fma")]] static vector broadcast(const double* from) {
    return _mm256_broadcast_sd(from);
  }
  [[gnu::target("avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = _mm256_sub_pd(a, b);
    return _mm256_fmadd_pd(difference, difference, sum);
  }
  [[gnu::target("avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(sum, limit, _CMP_LE_OQ)));
  }
};

#define DUOMAP_ROW_FILTER_TARGET [[gnu::target("avx2,fma")]]
#include "apps/algorithms/knn/row_filter_body.inc"
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
  // (0 + 4, 1 + 5, 2 + 6, 3 + 7), then as squared_distance() goes on.
  double sums[4];
  _mm256_storeu_pd(sums, _mm256_add_pd(low, high));
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace avx2
namespace avx512 {

struct float_lanes {
  using number = float;
  using vector = __m512;
  static constexpr unsigned width = 16, vectors = 4, queries = 4;
  [[gnu::target("avx512f,avx2,fma")]] static vector zero() { return _mm512_setzero_ps(); }
  [[gnu::target("avx512f,avx2,fma")]] static vector load(const float* from) { return _mm512_loadu_ps(from); }
  [[gnu::target("avx512f,avx2,fma")]] static void store(float* to, vector value) {
    _mm512_storeu_ps(to, value);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector broadcast(const float* from) {
    return _mm512_set1_ps(*from);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = _mm512_sub_ps(a, b);
    return _mm512_fmadd_ps(difference, difference, sum);
  }
  [[gnu::target("avx512f,avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return _mm512_cmp_ps_mask(sum, limit, _CMP_LE_OQ);
  }
};

struct double_lanes {
  using number = double;
  using vector = __m512d;
  static constexpr unsigned width = 8, vectors = 4, queries = 4;
  [[gnu::target("avx512f,avx2,fma")]] static vector zero() { return _mm512_setzero_pd(); }
  [[gnu::target("avx512f,avx2,fma")]] static vector load(const double* from) { return _mm512_loadu_pd(from); }
  [[gnu::target("avx512f,avx2,fma")]] static void store(double* to, vector value) {
    _mm512_storeu_pd(to, value);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector broadcast(const double* from) {
    return _mm512_set1_pd(*from);
  }
  [[gnu::target("avx512f,avx2,fma")]] static vector add_square(vector sum, vector a, vector b) {
    const vector difference = _mm512_sub_pd(a, b);
    return _mm512_fmadd_pd(difference, difference, sum);
  }
  [[gnu::target("avx512f,avx2,fma")]] static unsigned not_above(vector sum, vector limit) {
    return _mm512_cmp_pd_mask(sum, limit, _CMP_LE_OQ);
  }
};

#define DUOMAP_ROW_FILTER_TARGET [[gnu::target("avx512f,avx2,fma")]]
#include "apps/algorithms/knn/row_filter_body.inc"
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
  constexpr bool single = sizeof(T) == sizeof(float);
  using lanes2 = std::conditional_t<single, avx2::float_lanes, avx2::double_lanes>;
  using lanes512 = std::conditional_t<single, avx512::float_lanes, avx512::double_lanes>;
  static constexpr row_filter<T> with_avx2{avx2::find_near<lanes2>, avx2::distance<T>};
  static constexpr row_filter<T> with_avx512{avx512::find_near<lanes512>, avx512::distance<T>};
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
