// Gives the tiles of a chunk to warps, and takes back tiles that a warp has no room for.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// The progress of a chunk: in device memory while a kernel runs, copied to the host after it.
struct chunk_progress {
  unsigned long long next_tile = 0;    ///< no warp has claimed the tiles from here on
  unsigned int given_out = 0;          ///< runs that this launch has claimed from the last launch's
  unsigned int returned = 0;           ///< runs that this launch has returned
  unsigned long long needed_keys = 0;  ///< the most keys that a returned tile needed room for
  unsigned long long needed_pool_bytes = 0;
  unsigned int broken_promise =
      0;  ///< 1 if map emitted more than max_emits_per_record, or a key outside its record
  unsigned long long past_tables = 0;  ///< emits that found no slot in a block's tables
};

/// A run of adjacent tiles as one word: the first tile and, in the low bits, the number of tiles.
struct tile_run {
  static constexpr unsigned count_bits = 8;
  /// The most tiles of a run. Long runs need few claims; short runs let all warps end at about the same time.
  static constexpr std::uint64_t longest = 8;

  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] DUOMAP_HD static constexpr tile_run unpack(std::uint64_t word) {
    return {word >> count_bits, word & ((1u << count_bits) - 1)};
  }
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t packed() const { return first << count_bits | count; }
};

/// The queue as kernels see it. A launch first gives out the runs that the last launch returned.
struct tile_queue {
  chunk_progress* progress = nullptr;
  const unsigned long long* returned_before = nullptr;
  unsigned long long* returned_now = nullptr;
  std::uint32_t returned_before_count = 0;
  std::uint32_t* left_before =
      nullptr;  ///< for each tile with keys left, the tile before it in its warp's list
  std::uint32_t run_length = 1;
  std::uint64_t tiles = 0;

  /// Claims a run for the calling warp; its count is 0 if no tile is left. Called by one lane.
  [[nodiscard]] __device__ tile_run claim() const {
    if (returned_before_count > 0) {
      const unsigned i = atomicAdd(&progress->given_out, 1u);
      if (i < returned_before_count) return tile_run::unpack(returned_before[i]);
    }
    const std::uint64_t first = atomicAdd(&progress->next_tile, static_cast<unsigned long long>(run_length));
    if (first >= tiles) return {};
    return {first, min(std::uint64_t{run_length}, tiles - first)};
  }

  /// Takes back the rest of a run. The tiles of the rest have emitted nothing.
  __device__ void give_back(const tile_run& run) const {
    returned_now[atomicAdd(&progress->returned, 1u)] = run.packed();
  }
};

}  // namespace duomap::gpu
