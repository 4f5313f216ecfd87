// Times cuBLAS alone on two matrices in device memory.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <vector>

namespace duomap::apps {

/// Returns the seconds of each of `runs` float32 products, one cuBLAS call each. Exists only in builds with
/// CUDA.
/// @throws device_unavailable when cuBLAS is missing
[[nodiscard]] std::vector<double> time_cublas(int device, matrix_view<float> left, matrix_view<float> right,
                                              unsigned runs);

}  // namespace duomap::apps
