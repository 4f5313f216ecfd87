// A chunk whose tiles are mapped by one launch after another, until none has been returned for lack of room.
// For host code; needs CUDA's headers.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// One chunk at a time; its memory serves the next one too. Used by the engine's thread, with one stream.
class open_chunk {
 public:
  /// `warps`: of the largest launch.
  open_chunk(std::uint64_t warps, const stream& on)
    : warps_(warps),
      progress_(sizeof(chunk_progress), on),
      returned_(2 * warps * sizeof(unsigned long long), on) {}

  /// `left`: of the tiles, how many may be left (tile_queue::left_before): none or all.
  void begin(const chunk& part, std::uint64_t tiles, std::uint64_t left, const stream& on);

  [[nodiscard]] const chunk& part() const noexcept { return part_; }

  [[nodiscard]] std::uint64_t tiles() const noexcept { return tiles_; }

  /// At least so many tiles are left, as far as is known; a returned run may be several.
  [[nodiscard]] std::uint64_t tiles_left() const noexcept;

  /// Queues what a launch needs to know; to be called when the one before has ended.
  [[nodiscard]] tile_queue begin_launch(const stream& on);

  /// Queues reading what the launch leaves behind.
  void end_launch(const stream& on);

  /// Sleeps until the launch has ended.
  void wait() const { ended_.wait(); }

  /// After wait().
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
  // Two lists, a run for each warp: what the last launch returned, what this one does.
  device_buffer returned_;
  device_buffer left_before_;
  pinned_buffer seen_{sizeof(chunk_progress)};
  event ended_;
};

}  // namespace duomap::gpu
