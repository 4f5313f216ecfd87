#include "apps/bench/baselines/lloyd_loop.hpp"

#include "apps/bench/baselines/plain_step.hpp"

#include <algorithm>
#include <utility>

namespace duomap::apps {

lloyd_clusters lloyd_in_loops(matrix_view<float> points, matrix_view<double> first_centres,
                              std::uint32_t iterations) {
  matrix<double> centres(first_centres.rows, first_centres.columns, "the centres");
  std::ranges::copy(first_centres.values(), centres.data());
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const plain_sums sums = plain_step(points, centres.view());
    for (std::uint64_t c = 0; c < centres.rows(); ++c) {
      if (sums.sizes[c] == 0) continue;
      for (std::uint64_t d = 0; d < centres.columns(); ++d)
        centres.row(c)[d] = sums.sums[c * centres.columns() + d] / static_cast<double>(sums.sizes[c]);
    }
  }
  plain_sums last = plain_step(points, centres.view());
  return {std::move(centres), std::move(last.sizes)};
}

}  // namespace duomap::apps
