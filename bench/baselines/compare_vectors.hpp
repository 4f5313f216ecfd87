// Compares vectors by a plain loop: the baseline for duomap's speed and the reference for its cosines.
// host only
#pragma once

#include "numeric/common/matrix.hpp"
#include "numeric/similarity/similar_pair.hpp"

#include <vector>

namespace duomap::apps {

/// Returns the cosine of every pair of different vectors, in ascending order, with first < second in a pair.
/// One thread loops over pairs and columns in float; lengths are doubles. A vector of zeros has the cosine 0
/// with every other vector.
[[nodiscard]] std::vector<similar_pair> compare_vectors_in_one_loop(matrix_view<float> vectors);

}  // namespace duomap::apps
