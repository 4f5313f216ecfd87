// Chooses the sizes of the top-k engine. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// Warps of a block; each has candidates of its own.
inline constexpr unsigned top_warps = 8;

/// Shared memory of a block's candidates. Together with the warps' tiles (10 KB for text) it stays within 48
/// KiB, which every device gives a block by default.
inline constexpr std::uint64_t top_shared_bytes = 32 * 1024;

/// The number of candidates of `candidate_bytes` bytes that fit into `bytes`: a power of two, from 2 to
/// `most`.
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

/// Candidates that a block sorts in a selection from all warps' candidates.
[[nodiscard]] constexpr unsigned choose_sorted_by_block(std::uint64_t candidate_bytes) {
  return choose_sorted(top_shared_bytes, candidate_bytes, 2048);
}

/// Places of the first list in device memory: twice the places for the candidates of all warps and the best k
/// of all keys, so that a selection (a sort of some 60 small kernels) frees much room.
[[nodiscard]] constexpr std::uint64_t first_candidates(std::uint64_t keys, std::uint64_t k,
                                                       std::uint64_t warps, unsigned held_by_warp) {
  std::uint64_t count = std::uint64_t{1} << 16;
  const std::uint64_t held = warps * held_by_warp;
  // keys * k may exceed 64 bits, and 2^40 candidates fit into no memory.
  const auto is_enough = [&] {
    return held <= count / 2 && (keys == 0 || k <= (count / 2 - held) / keys);
  };
  while (count < std::uint64_t{1} << 40 && !is_enough()) count *= 2;
  return count;
}

/// Places of the list for launches before each key has a bound. Until then all emits pass the filter and must
/// be sorted, which took an H100 7 ms for five million numbers (decision 22). A selection that keeps one of
/// 16 candidates gives bounds that about one in 16 emits passes.
[[nodiscard]] constexpr std::uint64_t candidates_before_bounds(std::uint64_t keys, std::uint64_t k,
                                                               std::uint64_t capacity) {
  constexpr std::uint64_t least = std::uint64_t{1} << 16;
  constexpr std::uint64_t times = 16;
  if (keys == 0 || k == 0) return capacity;  // warps have their own bounds
  return k > capacity / times / keys ? capacity : std::min(std::max(least, times * keys * k), capacity);
}

}  // namespace duomap::gpu
