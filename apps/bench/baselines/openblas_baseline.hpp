// What OpenBLAS alone does with matrices, on threads of its own.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

namespace duomap::apps {

/// product = left * right by one call, on `threads` threads of OpenBLAS; for a process that does nothing else
/// with it.
void multiply_by_openblas(matrix_view<float> left, matrix_view<float> right, float* product,
                          unsigned threads);

/// The upper triangle of rows^T * rows by ssyrk: what covariances are measured against. OpenBLAS's threads go
/// on spinning for some 20 ms after a call. Requires `square` of columns times columns.
void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square);

}  // namespace duomap::apps
