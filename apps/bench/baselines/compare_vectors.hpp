// A plain program for the similarity of vectors: what duomap is measured against, and what its cosines are
// compared with. host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/similarity/similar_pair.hpp"

#include <vector>

namespace duomap::apps {

/// The cosine of every two different vectors, first < second, ascending: a loop over pairs and columns on one
/// thread, in float; lengths in double. A vector of zeros has the cosine 0 with every other.
[[nodiscard]] std::vector<similar_pair> compare_vectors_in_one_loop(matrix_view<float> vectors);

}  // namespace duomap::apps
