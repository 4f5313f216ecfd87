// Sizes the hash engine's block tables and blocks by the device's shared memory. host safe
#pragma once

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// The most threads of a block. The kernel's registers are limited for this number: 64 for each thread.
inline constexpr unsigned most_block_threads = 1024;

/// The device's shared memory in bytes, per multiprocessor and per block.
struct shared_memory {
  std::uint64_t per_multiprocessor = 0;
  std::uint64_t per_block = 0;
};

/// Sizes of blocks and tables, which change the speed and never the answer.
struct tuning {
  unsigned blocks_per_multiprocessor = 1;
  unsigned warps = 4;        ///< warps of a block
  unsigned table_slots = 0;  ///< slots of a block's table, a multiple of four

  friend constexpr bool operator==(const tuning&, const tuning&) = default;
};

/// Shared memory that the system reserves in each block.
inline constexpr std::uint64_t reserved_shared_bytes = 1024;

/// The fewest slots of a block's table.
inline constexpr unsigned fewest_slots = 32;

/// Chooses the settings for a block that needs `fixed_bytes` of shared memory, `warp_bytes` more for each
/// warp, and `slot_bytes` for each slot of its table. One block per multiprocessor, because a table that all
/// warps share holds the most different keys: 7 % of English words find no slot, instead of 18 (decision 20).
/// Warps get up to half of the memory, and the table gets the rest. If the memory is too small, the fewest
/// slots are chosen, and the launch fails with CUDA's own message.
[[nodiscard]] constexpr tuning choose_tuning(shared_memory has, std::uint64_t fixed_bytes,
                                             std::uint64_t warp_bytes, std::uint64_t slot_bytes) {
  const std::uint64_t block = std::min(has.per_block, has.per_multiprocessor - reserved_shared_bytes);
  const std::uint64_t room = block > fixed_bytes ? block - fixed_bytes : 0;
  // A multiple of four, because each of a multiprocessor's four parts executes its own warps.
  const std::uint64_t warps =
      std::clamp<std::uint64_t>(room / 2 / warp_bytes / 4 * 4, 4, most_block_threads / 32);
  const std::uint64_t left = room > warps * warp_bytes ? room - warps * warp_bytes : 0;
  const std::uint64_t slots = std::clamp<std::uint64_t>(left / slot_bytes / 4 * 4, fewest_slots, 1u << 16);
  return {1, static_cast<unsigned>(warps), static_cast<unsigned>(slots)};
}

}  // namespace duomap::gpu
