// A plain program for nearest neighbours: what duomap is measured against, and what its neighbours are
// compared with. host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap::apps {

/// The k rows nearest to a query, nearest first, of equally near ones the earlier: each row's squared
/// distance in float on one thread, the k best in a heap.
[[nodiscard]] std::vector<std::uint64_t> find_nearest_in_one_loop(matrix_view<float> rows,
                                                                  std::span<const float> query,
                                                                  std::uint32_t k);

}  // namespace duomap::apps
