// Declares plain functions for matrix products: the baseline for duomap's speed and the reference for its
// products.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

namespace duomap::apps {

/// Computes left * right with three loops on one thread. The innermost loop runs along the rows of `right`
/// and of the product, so that the compiler can use vector instructions and no loop walks down a column.
[[nodiscard]] matrix<float> multiply_in_loops(matrix_view<float> left, matrix_view<float> right);

/// Computes left * right with plain oneTBB, whose threads share the rows.
[[nodiscard]] matrix<float> multiply_with_tbb(matrix_view<float> left, matrix_view<float> right,
                                              unsigned threads);

}  // namespace duomap::apps
