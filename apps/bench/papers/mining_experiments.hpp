// k-means, nearest neighbours and naive Bayes, as Chen & Agrawal measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// Ten iterations over points of three floats from given centres. Compared: sizes of clusters, but for one
/// point in 10,000, which may be as near to two centres as rounding can tell; centres to a thousandth.
[[nodiscard]] experiment kmeans_experiment(std::uint64_t points, std::uint32_t clusters);

/// The 20 nearest of so many points of three floats to one query. Compared: all of them, in their order.
[[nodiscard]] experiment knn_experiment(std::uint64_t points);

/// Counts a table of 30 keys. Compared: every count.
[[nodiscard]] experiment naivebayes_experiment(std::uint64_t bytes);

}  // namespace duomap::apps
