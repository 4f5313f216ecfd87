// Sizes of the top-k engine. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// Warps of a block; each has candidates of its own.
inline constexpr unsigned top_warps = 8;

/// Shared memory of a block for candidates: beside the warps' tiles (10 KB for text), within what every
/// device gives a block without being asked, 48 KiB.
inline constexpr std::uint64_t top_shared_bytes = 32 * 1024;

/// Candidates of so many bytes each that fit into `bytes`: a power of two, from 2 to `most`.
[[nodiscard]] constexpr unsigned choose_sorted(std::uint64_t bytes, std::uint64_t candidate_bytes,
                                               unsigned most) {
  unsigned count = most;
  while (count > 2 && count * candidate_bytes > bytes) count /= 2;
  return count;
}

/// Candidates that a warp keeps and sorts.
[[nodiscard]] constexpr unsigned choose_sorted_by_warp(std::uint64_t candidate_bytes) {
  return choose_sorted(top_shared_bytes / top_warps, candidate_bytes, 256);
}

/// Candidates that a block sorts when those of all warps are reduced.
[[nodiscard]] constexpr unsigned choose_sorted_by_block(std::uint64_t candidate_bytes) {
  return choose_sorted(top_shared_bytes, candidate_bytes, 2048);
}

/// Places of the list in device memory at first: for what all warps may hold and for the best k of all keys,
/// and as many again, so that a selection (a sort of some 60 small kernels) makes much room.
[[nodiscard]] constexpr std::uint64_t first_candidates(std::uint64_t keys, std::uint64_t k,
                                                       std::uint64_t warps, unsigned held_by_warp) {
  std::uint64_t count = std::uint64_t{1} << 16;
  const std::uint64_t held = warps * held_by_warp;
  // keys * k may not fit into 64 bits; 2^40 candidates fit into no memory.
  const auto is_enough = [&] {
    return held <= count / 2 && (keys == 0 || k <= (count / 2 - held) / keys);
  };
  while (count < std::uint64_t{1} << 40 && !is_enough()) count *= 2;
  return count;
}

/// Places of the list for launches before each key has a bound. All that is emitted passes until then, and
/// would be sorted, which took an H100 7 ms for five million numbers (decision 22). After a selection from
/// `times` as many candidates as are kept, so much less passes.
[[nodiscard]] constexpr std::uint64_t candidates_before_bounds(std::uint64_t keys, std::uint64_t k,
                                                               std::uint64_t capacity) {
  constexpr std::uint64_t least = std::uint64_t{1} << 16;
  constexpr std::uint64_t times = 16;
  if (keys == 0 || k == 0) return capacity;  // warps have bounds of their own
  return k > capacity / times / keys ? capacity : std::min(std::max(least, times * keys * k), capacity);
}

}  // namespace duomap::gpu
