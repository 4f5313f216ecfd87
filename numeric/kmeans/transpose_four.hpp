// Transposes 4 by 4 blocks of coordinates in registers of any x86-64, for the vector paths of k-means. host
// only
#pragma once

#if defined(__x86_64__)

#include <xmmintrin.h>

#include <cstdint>

namespace duomap::kmeans_paths {
namespace {

/// Transposes four coordinates of four points, with the shift subtracted: reads point i at from + i * stride,
/// writes coordinate j at to + j * to_stride. Inlined and local to its file, because each path compiles it
/// with its own instructions.
[[gnu::always_inline]] inline void transpose_four(const float* from, std::uint64_t stride, const float* shift,
                                                  float* to, std::uint64_t to_stride) {
  const __m128 less = _mm_loadu_ps(shift);
  __m128 row0 = _mm_sub_ps(_mm_loadu_ps(from), less);
  __m128 row1 = _mm_sub_ps(_mm_loadu_ps(from + stride), less);
  __m128 row2 = _mm_sub_ps(_mm_loadu_ps(from + 2 * stride), less);
  __m128 row3 = _mm_sub_ps(_mm_loadu_ps(from + 3 * stride), less);
  _MM_TRANSPOSE4_PS(row0, row1, row2, row3);
  _mm_storeu_ps(to, row0);
  _mm_storeu_ps(to + to_stride, row1);
  _mm_storeu_ps(to + 2 * to_stride, row2);
  _mm_storeu_ps(to + 3 * to_stride, row3);
}

}  // namespace
}  // namespace duomap::kmeans_paths

#endif
