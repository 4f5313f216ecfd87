// A chunk whose tiles are mapped by one launch after another, until none has been returned for lack of room.
// For host code; needs CUDA's headers.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
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

  void begin(const chunk& part, std::uint64_t tiles) {
    part_ = part;
    tiles_ = tiles;
    launches_ = 0;
    *seen_.as<chunk_progress>() = {};
  }

  [[nodiscard]] const chunk& part() const noexcept { return part_; }

  [[nodiscard]] std::uint64_t tiles() const noexcept { return tiles_; }

  /// At least so many tiles are left, as far as is known; a returned run may be several.
  [[nodiscard]] std::uint64_t tiles_left() const noexcept {
    return progress().returned + (tiles_ - std::min<std::uint64_t>(progress().next_tile, tiles_));
  }

  /// Queues what a launch needs to know; to be called when the one before has ended.
  [[nodiscard]] tile_queue begin_launch(const stream& on) {
    auto& next = *seen_.as<chunk_progress>();
    const std::uint32_t returned_before = next.returned;
    next.given_out = next.returned = 0;
    next.needed_keys = next.needed_pool_bytes = 0;
    check(cudaMemcpyAsync(progress_.as<void>(), &next, sizeof next, cudaMemcpyHostToDevice, on.get()),
          "writing a chunk's progress");
    auto* const lists = returned_.as<unsigned long long>();
    const std::uint64_t run_length = std::clamp<std::uint64_t>(tiles_ / (8 * warps_), 1, tile_run::longest);
    const tile_queue queue{.progress = progress_.as<chunk_progress>(),
                           .returned_before = lists + (launches_ % 2) * warps_,
                           .returned_now = lists + ((launches_ + 1) % 2) * warps_,
                           .returned_before_count = returned_before,
                           .run_length = static_cast<std::uint32_t>(run_length),
                           .tiles = tiles_};
    ++launches_;
    return queue;
  }

  /// Queues reading what the launch leaves behind.
  void end_launch(const stream& on) {
    check(cudaMemcpyAsync(seen_.as<void>(), progress_.as<void>(), sizeof(chunk_progress),
                          cudaMemcpyDeviceToHost, on.get()),
          "reading a chunk's progress");
    ended_.record(on);
  }

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
  pinned_buffer seen_{sizeof(chunk_progress)};
  event ended_;
};

}  // namespace duomap::gpu
