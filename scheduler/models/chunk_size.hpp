// How large the chunks of a device should be.
#pragma once

#include <algorithm>
#include <cmath>

namespace duomap::scheduler {

/// Grains of the next chunk of a device whose share of what is left is `share` grains. Copying the first
/// chunk and computing the last overlap with nothing, so chunks should be small; each costs claim_seconds, so
/// they should be few. The sum of both is least with chunks of sqrt(share * claim_seconds /
/// seconds_per_grain) grains. When the costs are not known, half of the share, so that there is something to
/// correct.
[[nodiscard]] inline double chunk_size(double share, double seconds_per_grain, double claim_seconds) {
  if (!(seconds_per_grain > 0 && claim_seconds > 0)) return share / 2;
  return std::min(share, std::sqrt(share * claim_seconds / seconds_per_grain));
}

}  // namespace duomap::scheduler
