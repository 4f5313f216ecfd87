// A plain program for covariances: what duomap is measured against, and what its sums are compared with.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

namespace duomap::apps {

/// Columns times columns: sums over all rows of (x_i - mean_i) (x_j - mean_j). Two passes on one thread, in
/// double; half of the products, mirrored.
[[nodiscard]] matrix<double> add_products_in_loops(matrix_view<float> rows);

}  // namespace duomap::apps
