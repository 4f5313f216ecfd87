// Declares a plain function for covariances: the baseline for duomap's speed and the reference for its sums.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

namespace duomap::apps {

/// Element (i, j) of the result is the sum of (x_i - mean_i) (x_j - mean_j) over all rows. Takes two passes
/// on one thread in double precision, computes half of the products and mirrors them.
[[nodiscard]] matrix<double> add_products_in_loops(matrix_view<float> rows);

}  // namespace duomap::apps
