// Plain programs for matrix products: what duomap is measured against, and what its products are compared
// with. host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

namespace duomap::apps {

/// left * right by three loops on one thread, the innermost along the rows of `right` and of the product, so
/// that the compiler can use vector instructions and no column is walked down.
[[nodiscard]] matrix<float> multiply_in_loops(matrix_view<float> left, matrix_view<float> right);

/// The same with plain oneTBB, which shares the rows.
[[nodiscard]] matrix<float> multiply_with_tbb(matrix_view<float> left, matrix_view<float> right,
                                              unsigned threads);

}  // namespace duomap::apps
