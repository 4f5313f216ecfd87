// Gives operations on vector registers of floats and of doubles the same names, so that kernels can be
// templates over the number type.
// host only
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

/// A function here may be called only by functions whose target attribute covers its own. An AVX-512 function
/// whose name ends in _wide differs from its AVX2 namesake only in the return type.
namespace duomap::cpu::vector_lanes {

[[gnu::target("avx2,fma")]] inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
[[gnu::target("avx2,fma")]] inline __m256d load(const double* from) { return _mm256_loadu_pd(from); }
[[gnu::target("avx2,fma")]] inline void store(float* to, __m256 x) { _mm256_storeu_ps(to, x); }
[[gnu::target("avx2,fma")]] inline void store(double* to, __m256d x) { _mm256_storeu_pd(to, x); }
[[gnu::target("avx2,fma")]] inline __m256 everywhere(float x) { return _mm256_set1_ps(x); }
[[gnu::target("avx2,fma")]] inline __m256d everywhere(double x) { return _mm256_set1_pd(x); }
[[gnu::target("avx2,fma")]] inline __m256 add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
[[gnu::target("avx2,fma")]] inline __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
[[gnu::target("avx2,fma")]] inline __m256 subtract(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
[[gnu::target("avx2,fma")]] inline __m256d subtract(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
[[gnu::target("avx2,fma")]] inline __m256 fma(__m256 a, __m256 b, __m256 c) {
  return _mm256_fmadd_ps(a, b, c);
}
[[gnu::target("avx2,fma")]] inline __m256d fma(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}

[[gnu::target("avx512f")]] inline __m512 load_wide(const float* from) { return _mm512_loadu_ps(from); }
[[gnu::target("avx512f")]] inline __m512d load_wide(const double* from) { return _mm512_loadu_pd(from); }
[[gnu::target("avx512f")]] inline void store(float* to, __m512 x) { _mm512_storeu_ps(to, x); }
[[gnu::target("avx512f")]] inline void store(double* to, __m512d x) { _mm512_storeu_pd(to, x); }
[[gnu::target("avx512f")]] inline __m512 everywhere_wide(float x) { return _mm512_set1_ps(x); }
[[gnu::target("avx512f")]] inline __m512d everywhere_wide(double x) { return _mm512_set1_pd(x); }
[[gnu::target("avx512f")]] inline __m512 add(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
[[gnu::target("avx512f")]] inline __m512d add(__m512d a, __m512d b) { return _mm512_add_pd(a, b); }
[[gnu::target("avx512f")]] inline __m512 subtract(__m512 a, __m512 b) { return _mm512_sub_ps(a, b); }
[[gnu::target("avx512f")]] inline __m512d subtract(__m512d a, __m512d b) { return _mm512_sub_pd(a, b); }
[[gnu::target("avx512f")]] inline __m512 fma(__m512 a, __m512 b, __m512 c) {
  return _mm512_fmadd_ps(a, b, c);
}
[[gnu::target("avx512f")]] inline __m512d fma(__m512d a, __m512d b, __m512d c) {
  return _mm512_fmadd_pd(a, b, c);
}
}  // namespace duomap::cpu::vector_lanes

#endif
