// Lanes of a warp that have the same key combine their values.
#pragma once

#include "gpu/engines/dense/value_words.cuh"

#include <cstdint>

namespace duomap::gpu {

/// One of the lanes with the same key gets all their values, reduced, and true; the others false. Lanes may
/// call it in any combination.
template <class V, class R>
[[nodiscard]] __device__ bool takes_for_peers(std::uint64_t key, V& value, const R& reduce) {
  const unsigned peers = __match_any_sync(__activemask(), static_cast<unsigned long long>(key));
  const auto lowest = [](unsigned lanes) {
    return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
  };
  V all = shuffle(peers, value, lowest(peers));
  for (unsigned rest = peers & (peers - 1); rest != 0; rest &= rest - 1)
    all = reduce(all, shuffle(peers, value, lowest(rest)));
  value = all;
  return threadIdx.x % 32 == lowest(peers);
}

}  // namespace duomap::gpu
