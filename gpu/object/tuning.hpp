// How large the reduction object's block tables are and how many blocks run, by architecture. host safe
#pragma once

#include <cstdint>
#include <initializer_list>

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

/// Blocks of a multiprocessor that kernels leave registers for. On an H200, three blocks with 2048 slots each
/// take 5.8 ms for 800 MB of English text, two with 4096 slots 6.5 ms.
inline constexpr unsigned wanted_blocks = 3;

/// The choice for compute capability `major`.`minor`, when a block needs `fixed_bytes` of shared memory and
/// `slot_bytes` for each slot of its table: the most blocks, and then the largest table, of at least 2048
/// slots (a small table lets frequent words through to the device's table); with less shared memory the most
/// slots. A table of 256 slots is always chosen in the end, so that a device without enough shared memory
/// fails with CUDA's own message.
[[nodiscard]] constexpr tuning choose_tuning(int major, int minor, shared_memory has,
                                             std::uint64_t fixed_bytes, std::uint64_t slot_bytes) {
  const auto fits = [&](unsigned blocks, unsigned slots) {
    const std::uint64_t block = fixed_bytes + slots * slot_bytes;
    return block <= has.per_block && blocks * (block + reserved_shared_bytes) <= has.per_multiprocessor;
  };
  // 7.5 has 1024 threads per multiprocessor, the others at least 1536.
  const unsigned most_blocks = major == 7 && minor == 5 ? 2 : wanted_blocks;
  for (unsigned blocks = most_blocks; blocks >= 1; --blocks) {
    for (const unsigned slots : {4096u, 2048u}) {
      if (fits(blocks, slots)) return {blocks, slots};
    }
  }
  for (const unsigned slots : {1024u, 512u}) {
    if (fits(1, slots)) return {1, slots};
  }
  return {1, 256};
}

}  // namespace duomap::gpu
