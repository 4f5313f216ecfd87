// What cuBLAS alone does with two matrices in device memory.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

#include <vector>

namespace duomap::apps {

/// Seconds of each of `runs` products by one call of cuBLAS, in float32. Only in builds with CUDA.
/// @throws device_unavailable when there is no cuBLAS
[[nodiscard]] std::vector<double> time_cublas(int device, matrix_view<float> left, matrix_view<float> right,
                                              unsigned runs);

}  // namespace duomap::apps
