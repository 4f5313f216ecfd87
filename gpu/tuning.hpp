// How large the reduction object's block tables are and how many blocks run, by architecture. host safe
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Threads of a block and bytes of a tile: 32 bytes a thread, so that one 32-bit mask holds a thread's bytes.
inline constexpr unsigned block_threads = 512;
inline constexpr unsigned tile_bytes = block_threads * 32;

/// What the device has, per multiprocessor and per block, in bytes.
struct shared_memory {
  std::uint64_t per_multiprocessor = 0;
  std::uint64_t per_block = 0;
};

/// Choices that change speed and never the answer.
struct tuning {
  unsigned blocks_per_multiprocessor = 1;
  unsigned table_slots = 0;  ///< slots of a block's table, a power of two

  friend constexpr bool operator==(const tuning&, const tuning&) = default;
};

/// Shared memory that the system keeps for itself in each block.
inline constexpr std::uint64_t reserved_shared_bytes = 1024;

/// The choice for compute capability `major`.`minor`, when a block needs `fixed_bytes` of shared memory and `slot_bytes` for each
/// slot of its table.
///
/// On 9.0 (228 KB) two blocks of 4096 slots are the measured best for word count; elsewhere the largest table with which two blocks
/// fit, else the largest with which one does. A table of 256 slots is always chosen in the end, so that a device without enough
/// shared memory fails with CUDA's own message.
[[nodiscard]] constexpr tuning choose_tuning(int major, int minor, shared_memory has, std::uint64_t fixed_bytes,
                                             std::uint64_t slot_bytes) {
  const auto fits = [&](unsigned blocks, unsigned slots) {
    const std::uint64_t block = fixed_bytes + slots * slot_bytes;
    return block <= has.per_block && blocks * (block + reserved_shared_bytes) <= has.per_multiprocessor;
  };
  // 7.5 has 1024 threads per multiprocessor, the others at least 1536.
  const unsigned most_blocks = major == 7 && minor == 5 ? 2 : 3;
  constexpr unsigned smallest_useful = 1024;
  for (unsigned blocks = most_blocks < 2 ? most_blocks : 2; blocks >= 1; --blocks) {
    for (unsigned slots = 4096; slots >= smallest_useful; slots /= 2) {
      if (fits(blocks, slots)) return {blocks, slots};
    }
  }
  for (unsigned slots = smallest_useful / 2; slots > 256; slots /= 2) {
    if (fits(1, slots)) return {1, slots};
  }
  return {1, 256};
}

}  // namespace duomap::gpu
