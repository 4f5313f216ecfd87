// Hands the tiles of a chunk to blocks, and takes back what a block had no room for.
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// How far a chunk is: in device memory while a kernel runs, copied to the host after it.
struct chunk_progress {
  unsigned long long next_tile = 0;    ///< tiles from here on were never claimed
  unsigned int given_out = 0;          ///< returned tiles that this launch has claimed
  unsigned int returned = 0;           ///< tiles that this launch has returned
  unsigned long long needed_keys = 0;  ///< the most room that a returned tile asked for
  unsigned long long needed_pool_bytes = 0;
  unsigned int broken_promise = 0;  ///< map did not keep emits_within_record
};

/// The queue as kernels see it. A launch first gives out the tiles that the one before returned.
struct tile_queue {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  chunk_progress* progress = nullptr;
  const unsigned long long* returned_before = nullptr;
  unsigned long long* returned_now = nullptr;
  std::uint32_t returned_before_count = 0;
  std::uint64_t tiles = 0;

  /// A tile for the calling block; `none` when there is none left.
  [[nodiscard]] __device__ std::uint64_t claim() const {
    if (returned_before_count > 0) {
      const unsigned i = atomicAdd(&progress->given_out, 1u);
      if (i < returned_before_count) return returned_before[i];
    }
    const std::uint64_t tile = atomicAdd(&progress->next_tile, 1ull);
    return tile < tiles ? tile : none;
  }

  /// Takes a claimed tile back, of which nothing was emitted.
  __device__ void give_back(std::uint64_t tile) const {
    returned_now[atomicAdd(&progress->returned, 1u)] = tile;
  }
};

/// Tiles that one launch can return: a block holds the tile it works on and the one it claimed ahead.
[[nodiscard]] constexpr std::uint64_t most_returned_tiles(std::uint64_t blocks) { return 2 * blocks; }

}  // namespace duomap::gpu
