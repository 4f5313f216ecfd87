// How many candidates the top-k engine sorts in shared memory at once. host safe
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Candidates of `candidate_bytes` each that a block sorts: a power of two, at most a tile's worth of numbered
/// records, in 48 KiB, what every device gives a block without asking and the smallest (7.5) has room for
/// beside the tile. At least 8, for values of up to 4 KiB.
[[nodiscard]] constexpr unsigned choose_sorted_in_block(std::uint64_t candidate_bytes) {
  constexpr std::uint64_t room = 32 * 1024;
  unsigned count = 2048;
  while (count > 8 && count * candidate_bytes > room) count /= 2;
  return count;
}

/// Values larger than this stay on the CPU.
inline constexpr std::uint64_t most_top_value_bytes = 2048;

/// Candidates that the engine keeps at first, of n keys: twice what n * k need at least, so that a selection
/// leaves room, and as many as make a selection (some 60 small kernels) rare.
[[nodiscard]] constexpr std::uint64_t first_candidates(std::uint64_t keys, std::uint64_t k) {
  std::uint64_t count = std::uint64_t{1} << 18;
  // The product of two large numbers may not fit; more than 2^40 candidates fit into no memory.
  while (count < std::uint64_t{1} << 40 && (keys != 0 && k > count / 2 / keys)) count *= 2;
  return count;
}

}  // namespace duomap::gpu
