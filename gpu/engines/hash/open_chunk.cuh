// Keeps a chunk whose tiles are mapped by one launch after another, until no launch returns a tile for lack
// of room. For host code; needs CUDA's headers.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Holds one chunk at a time, and keeps its memory for the next. Used by the engine's thread, with one
/// stream.
class open_chunk {
 public:
  /// `warps`: the number of warps of the largest launch.
  open_chunk(std::uint64_t warps, const stream& on)
    : warps_(warps),
      progress_(sizeof(chunk_progress), on),
      returned_(2 * warps * sizeof(unsigned long long), on) {}

  /// `left`: the number of tiles that may leave long keys for later (tile_queue::left_before): none or all.
  void begin(const chunk& part, std::uint64_t tiles, std::uint64_t left, const stream& on);

  [[nodiscard]] const chunk& part() const noexcept { return part_; }

  [[nodiscard]] std::uint64_t tiles() const noexcept { return tiles_; }

  /// A lower bound for the number of tiles left, because a returned run of tiles counts as one tile.
  [[nodiscard]] std::uint64_t tiles_left() const noexcept;

  /// Queues the copy of the launch's state to the device. The launch before must have ended.
  [[nodiscard]] tile_queue begin_launch(const stream& on);

  /// Queues the copy of the launch's progress to the host.
  void end_launch(const stream& on);

  void wait() const { ended_.wait(); }

  /// The launch's progress. Call it after wait().
  [[nodiscard]] const chunk_progress& progress() const noexcept { return *seen_.as<chunk_progress>(); }
  [[nodiscard]] bool is_complete() const noexcept {
    return progress().returned == 0 && progress().next_tile >= tiles_;
  }

 private:
  std::uint64_t warps_;
  chunk part_;
  std::uint64_t tiles_ = 0;
  std::uint64_t launches_ = 0;
  device_buffer progress_;
  // Two lists with room for one run of tiles from each warp: the runs that the last launch returned, and the
  // runs that this launch returns.
  device_buffer returned_;
  device_buffer left_before_;
  pinned_buffer seen_{sizeof(chunk_progress)};
  event ended_;
};

}  // namespace duomap::gpu
