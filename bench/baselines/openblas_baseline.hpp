// Calls OpenBLAS alone, on its own threads.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

namespace duomap::apps {

/// Computes product = left * right in one call on `threads` OpenBLAS threads. The process must use OpenBLAS
/// for nothing else.
void multiply_by_openblas(matrix_view<float> left, matrix_view<float> right, float* product,
                          unsigned threads);

/// Computes the upper triangle of rows^T * rows with ssyrk, the baseline for covariances. OpenBLAS's threads
/// go on spinning for about 20 ms after a call. Requires that `square` has columns times columns numbers.
void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square);

}  // namespace duomap::apps
