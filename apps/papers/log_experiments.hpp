// Page view count and page view rank, as Mars and Chen & Agrawal measured them.
// host only
#pragma once

#include "apps/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// How many different clients asked for each page, by two passes; `visits` different pairs of page and client
/// in a made-up log. Compared: every count.
[[nodiscard]] experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits);

/// The ten pages with the most views, counts included. Compared: the ten, in their order.
[[nodiscard]] experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits);

}  // namespace duomap::apps
