// What covariances are measured against: OpenBLAS's product of a matrix and its transpose.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

namespace duomap {

/// The upper triangle of rows^T * rows by ssyrk, on as many of OpenBLAS's own threads. Those go on spinning
/// for some 20 ms after a call. Requires `square` of columns times columns.
void multiply_by_syrk(matrix_view<float> rows, unsigned threads, matrix<float>& square);

}  // namespace duomap
