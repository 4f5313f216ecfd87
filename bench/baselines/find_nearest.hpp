// Declares a plain function for nearest neighbours: the baseline for duomap's speed and the reference for its
// neighbours.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap::apps {

/// The k rows nearest to a query, nearest first; of two equally near rows the earlier comes first. One thread
/// computes the squared distance of each row in float and keeps the k best in a heap.
[[nodiscard]] std::vector<std::uint64_t> find_nearest_in_one_loop(matrix_view<float> rows,
                                                                  std::span<const float> query,
                                                                  std::uint32_t k);

}  // namespace duomap::apps
