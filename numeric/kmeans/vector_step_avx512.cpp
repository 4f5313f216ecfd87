// Runs a step of k-means with AVX-512: 64 points (double: 32) by 6 centres at a time.
#if defined(__x86_64__)

#include <immintrin.h>
// GCC 12 warns about its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"

#define DUOMAP_TARGET [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")]]

#include "numeric/kmeans/transpose_four.hpp"
#include "numeric/kmeans/vector_step_body.inc"

namespace duomap::kmeans_paths {
namespace {

struct float_lanes {
  static constexpr std::uint32_t width = 16, vectors = 4, centres = 6, block = 4;
  using vector = __m512;
  struct nearest {
    __m512 score;
    __m512i index;
  };

  DUOMAP_TARGET static vector load(const float* from) { return _mm512_loadu_ps(from); }
  DUOMAP_TARGET static vector all(float value) { return _mm512_set1_ps(value); }
  DUOMAP_TARGET static vector fused(vector a, vector b, vector c) { return _mm512_fmadd_ps(a, b, c); }
  DUOMAP_TARGET static nearest none() {
    return {all(std::numeric_limits<float>::infinity()), _mm512_setzero_si512()};
  }
  DUOMAP_TARGET static void atomic_min(nearest& best, vector score, std::uint32_t index) {
    const __mmask16 smaller = _mm512_cmp_ps_mask(score, best.score, _CMP_LT_OQ);
    best.score = _mm512_mask_mov_ps(best.score, smaller, score);
    best.index = _mm512_mask_mov_epi32(best.index, smaller, _mm512_set1_epi32(static_cast<int>(index)));
  }
  DUOMAP_TARGET static void store(const nearest& best, std::uint32_t* to) {
    _mm512_storeu_si512(to, best.index);
  }
  DUOMAP_TARGET static void transpose(const float* from, std::uint64_t stride, const float* shift, float* to,
                                      std::uint64_t to_stride) {
    transpose_four(from, stride, shift, to, to_stride);
  }
};

struct double_lanes {
  static constexpr std::uint32_t width = 8, vectors = 4, centres = 6;
  using vector = __m512d;
  struct nearest {
    __m512d score;
    __m512i index;
  };

  DUOMAP_TARGET static vector load(const double* from) { return _mm512_loadu_pd(from); }
  DUOMAP_TARGET static vector all(double value) { return _mm512_set1_pd(value); }
  DUOMAP_TARGET static vector fused(vector a, vector b, vector c) { return _mm512_fmadd_pd(a, b, c); }
  DUOMAP_TARGET static nearest none() {
    return {all(std::numeric_limits<double>::infinity()), _mm512_setzero_si512()};
  }
  DUOMAP_TARGET static void atomic_min(nearest& best, vector score, std::uint32_t index) {
    const __mmask8 smaller = _mm512_cmp_pd_mask(score, best.score, _CMP_LT_OQ);
    best.score = _mm512_mask_mov_pd(best.score, smaller, score);
    best.index = _mm512_mask_mov_epi64(best.index, smaller, _mm512_set1_epi64(index));
  }
  DUOMAP_TARGET static void store(const nearest& best, std::uint32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi64_epi32(best.index));
  }
};

}  // namespace

const path<float>& avx512(float) { return path_of<float_lanes, float>; }
const path<double>& avx512(double) { return path_of<double_lanes, double>; }

}  // namespace duomap::kmeans_paths

#endif
