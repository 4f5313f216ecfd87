// Sums over arrays, as Catanzaro et al. measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// The sum of so many 32-bit numbers, a multiple of 16: the synthetic task of apps/scheduling without its
/// steps. Compared: the sum.
[[nodiscard]] experiment sum_experiment(std::uint64_t elements);

}  // namespace duomap::apps
