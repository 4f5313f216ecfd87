// Divides a reduction of dense keys that does not commute among blocks and threads. host safe
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace duomap::gpu {

struct ordered_placement {
  unsigned mappers = 1;  ///< threads of a block that map, a power of two; 1: its values are in device memory
  std::uint64_t blocks = 1;

  friend constexpr bool operator==(const ordered_placement&, const ordered_placement&) = default;
};

/// Chooses the most mapping threads whose values of all keys fit into `available` bytes of shared memory, but
/// at least half a warp; else one thread, with its values in device memory. Chooses the number of blocks that
/// the device runs at once, or fewer, so that their values take at most `most_bytes`.
/// `cell_bytes`: bytes of a key in shared memory; `value_bytes`: in device memory.
[[nodiscard]] constexpr ordered_placement place_ordered(std::uint64_t keys, std::uint64_t cell_bytes,
                                                        std::uint64_t value_bytes, unsigned threads,
                                                        std::uint64_t available, std::uint64_t blocks,
                                                        std::uint64_t most_bytes) {
  unsigned mappers = std::bit_floor(threads);
  while (mappers >= 16 && (keys > available || keys * cell_bytes * mappers > available)) mappers /= 2;
  const std::uint64_t fitting = most_bytes / std::max<std::uint64_t>(1, keys * value_bytes);
  return {mappers >= 16 ? mappers : 1,
          std::clamp<std::uint64_t>(fitting, 1, std::max<std::uint64_t>(1, blocks))};
}

}  // namespace duomap::gpu
