// Finds the records in a block's tile of a chunk, which consists of the adjacent tiles of its warps.
#pragma once

#include "core/chunk.hpp"
#include "gpu/record/strip_tile.cuh"
#include "gpu/record/warp_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Threads of a block that uses record_tile.
inline constexpr unsigned block_threads = 512;

/// For each tile, all threads of the block call load(), __syncthreads() and find(). find() ends with a
/// barrier, so any thread may then call record(i). Engines use this class if they need a tile's records in
/// order, or divide them among the threads of a block. Warps that work independently use warp_tile.
template <class Format>
class record_tile {
  using part_tile = warp_tile<Format>;
  static constexpr unsigned warps = block_threads / 32;

 public:
  struct alignas(16) storage {
    typename part_tile::storage parts[warps];
    std::uint64_t ends[warps];  // the ends of the parts' last records
    std::uint32_t counts[warps];
    std::uint32_t before[warps];  // the number of records in earlier parts
  };

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format& format) {
    return (part_tile::tiles(part, format) + warps - 1) / warps;
  }

  __device__ record_tile(storage& memory, const chunk& part, const Format& format)
    : memory_(memory), part_(part), format_(format) {}

  __device__ void load(std::uint64_t tile) { first_ = tile * warps; }

  /// Lists the records that start in the tile. Contains barriers.
  __device__ void find() {
    const unsigned warp = threadIdx.x / 32;
    part_tile mine(memory_.parts[warp], part_, format_);
    const bool is_there = first_ + warp < part_tile::tiles(part_, format_);
    if (is_there) mine.find(first_ + warp);
    if (lane_index() == 0) {
      memory_.counts[warp] = is_there ? mine.count() : 0;
      memory_.ends[warp] = is_there ? mine.end_of_last() : 0;
    }
    __syncthreads();
    // Each warp adds up all counts by itself, which saves a barrier before count().
    const std::uint32_t count = lane_index() < warps ? memory_.counts[lane_index()] : 0;
    const std::uint32_t up_to_this = inclusive_sum(count);
    count_ = __shfl_sync(all_lanes, up_to_this, warps - 1);
    if (warp == 0 && lane_index() < warps) memory_.before[lane_index()] = up_to_this - count;
    __syncthreads();
  }

  /// The number of records in the tile. Valid after find().
  [[nodiscard]] __device__ std::uint32_t count() const { return count_; }

  /// Returns the i-th record of the tile, and sets `bytes`.
  [[nodiscard]] __device__ typename Format::record record(std::uint32_t i, record_bytes& bytes) const {
    unsigned warp = 0;
#pragma unroll
    for (unsigned step = warps / 2; step > 0; step /= 2) {
      if (memory_.before[warp + step] <= i) warp += step;
    }
    const part_tile holds(memory_.parts[warp], part_, format_, first_ + warp, memory_.ends[warp]);
    return holds.record(holds.start(i - memory_.before[warp]), bytes);
  }

 private:
  static_assert((warps & (warps - 1)) == 0 && warps <= 32);

  storage& memory_;
  const chunk& part_;
  const Format& format_;
  std::uint64_t first_ = 0;  // the first of the warps' tiles
  std::uint32_t count_ = 0;
};

}  // namespace duomap::gpu
