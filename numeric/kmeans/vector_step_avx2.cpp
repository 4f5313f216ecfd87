// Runs a step of k-means with AVX2 and FMA: 16 points (double: 8) by 6 centres at a time.
#if defined(__x86_64__)

#include <immintrin.h>

#define DUOMAP_TARGET [[gnu::target("avx2,fma")]]

#include "numeric/kmeans/transpose_four.hpp"
#include "numeric/kmeans/vector_step_body.inc"

namespace duomap::kmeans_paths {
namespace {

struct float_lanes {
  static constexpr std::uint32_t width = 8, vectors = 2, centres = 6, block = 4;
  using vector = __m256;
  struct nearest {
    __m256 score;
    __m256i index;
  };

  DUOMAP_TARGET static vector load(const float* from) { return _mm256_loadu_ps(from); }
  DUOMAP_TARGET static vector all(float value) { return _mm256_set1_ps(value); }
  DUOMAP_TARGET static vector fused(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }
  DUOMAP_TARGET static nearest none() {
    return {all(std::numeric_limits<float>::infinity()), _mm256_setzero_si256()};
  }
  DUOMAP_TARGET static void atomic_min(nearest& best, vector score, std::uint32_t index) {
    const __m256 smaller = _mm256_cmp_ps(score, best.score, _CMP_LT_OQ);
    best.score = _mm256_blendv_ps(best.score, score, smaller);
    best.index = _mm256_blendv_epi8(best.index, _mm256_set1_epi32(static_cast<int>(index)),
                                    _mm256_castps_si256(smaller));
  }
  DUOMAP_TARGET static void store(const nearest& best, std::uint32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), best.index);
  }
  DUOMAP_TARGET static void transpose(const float* from, std::uint64_t stride, const float* shift, float* to,
                                      std::uint64_t to_stride) {
    transpose_four(from, stride, shift, to, to_stride);
  }
};

struct double_lanes {
  static constexpr std::uint32_t width = 4, vectors = 2, centres = 6;
  using vector = __m256d;
  struct nearest {
    __m256d score;
    __m256d index;  // a double holds it exactly, and is blended like a score
  };

  DUOMAP_TARGET static vector load(const double* from) { return _mm256_loadu_pd(from); }
  DUOMAP_TARGET static vector all(double value) { return _mm256_set1_pd(value); }
  DUOMAP_TARGET static vector fused(vector a, vector b, vector c) { return _mm256_fmadd_pd(a, b, c); }
  DUOMAP_TARGET static nearest none() {
    return {all(std::numeric_limits<double>::infinity()), _mm256_setzero_pd()};
  }
  DUOMAP_TARGET static void atomic_min(nearest& best, vector score, std::uint32_t index) {
    const __m256d smaller = _mm256_cmp_pd(score, best.score, _CMP_LT_OQ);
    best.score = _mm256_blendv_pd(best.score, score, smaller);
    best.index = _mm256_blendv_pd(best.index, all(index), smaller);
  }
  DUOMAP_TARGET static void store(const nearest& best, std::uint32_t* to) {
    double index[width];
    _mm256_storeu_pd(index, best.index);
    for (std::uint32_t i = 0; i < width; ++i) to[i] = static_cast<std::uint32_t>(index[i]);
  }
};

}  // namespace

const path<float>& avx2(float) { return path_of<float_lanes, float>; }
const path<double>& avx2(double) { return path_of<double_lanes, double>; }

}  // namespace duomap::kmeans_paths

#endif
