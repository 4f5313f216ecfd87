// Decides the size of a device's chunks.
#pragma once

#include <algorithm>
#include <cmath>

namespace duomap::scheduler {

/// The number of grains in a device's next chunk, if its share of the rest is `share` grains. Copying the
/// first chunk and computing the last one overlap with nothing, so small chunks are better. But each chunk
/// costs claim_seconds, so few chunks are better. The sum of both costs is least with chunks of sqrt(share *
/// claim_seconds / seconds_per_grain) grains. If the costs are not known, a chunk is half of the share, so
/// that the other half can correct a mistake.
[[nodiscard]] inline double chunk_size(double share, double seconds_per_grain, double claim_seconds) {
  if (!(seconds_per_grain > 0 && claim_seconds > 0)) return share / 2;
  return std::min(share, std::sqrt(share * claim_seconds / seconds_per_grain));
}

}  // namespace duomap::scheduler
