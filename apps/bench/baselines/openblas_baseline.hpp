// What OpenBLAS alone does with two matrices, on threads of its own.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

namespace duomap::apps {

/// product = left * right by one call, on `threads` threads of OpenBLAS; for a process that does nothing else
/// with it.
void multiply_by_openblas(matrix_view<float> left, matrix_view<float> right, float* product,
                          unsigned threads);

}  // namespace duomap::apps
