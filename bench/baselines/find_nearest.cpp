// Keeps the k nearest rows in a heap during one pass.
#include "bench/baselines/find_nearest.hpp"

#include <algorithm>
#include <utility>

namespace duomap::apps {

std::vector<std::uint64_t> find_nearest_in_one_loop(matrix_view<float> rows, std::span<const float> query,
                                                    std::uint32_t k) {
  using candidate = std::pair<float, std::uint64_t>;
  std::vector<candidate> best;
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const std::span<const float> values = rows.row(row);
    float squares = 0;
    for (std::uint64_t c = 0; c < rows.columns; ++c)
      squares += (values[c] - query[c]) * (values[c] - query[c]);
    const candidate found{squares, row};
    if (best.size() < k) {
      best.push_back(found);
      std::ranges::push_heap(best);
    } else if (found < best.front()) {
      std::ranges::pop_heap(best);
      best.back() = found;
      std::ranges::push_heap(best);
    }
  }
  std::ranges::sort_heap(best);
  std::vector<std::uint64_t> nearest;
  for (const candidate& one : best) nearest.push_back(one.second);
  return nearest;
}

}  // namespace duomap::apps
