// A chunk between the sort engine's passes: what its tiles emit, as the first pass has counted it.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/sort/emit_count.cuh"
#include "gpu/engines/sort/emit_log.cuh"
#include "gpu/engines/sort/emit_space.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/small_copy.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <memory>

namespace duomap::gpu {

/// One chunk at a time; its memory serves the next one too.
template <class Task>
class counted_chunk {
 public:
  void begin(const chunk& part, std::uint64_t tiles, const stream& on) {
    part_ = part;
    tiles_ = tiles;
    counts_ = {of_tiles_.get<emit_space>(tiles + 1, on), of_warps_.get<emit_space>(tiles * tile_warps, on),
               of_lanes_.get<std::uint32_t>(tiles * tile_warps * emit_counts::noted, on)};
    if constexpr (logs_emits<Task>) {
      log_ = {of_log_.get<logged_emit<Task>>(tiles * tile_warps * most_logged, on),
              of_log_counts_.get<std::uint32_t>(tiles * tile_warps, on)};
    }
    const std::uint64_t bytes = (tiles + 1) * sizeof(emit_space);
    if (!seen_ || seen_->size() < bytes) seen_ = std::make_unique<pinned_buffer>(bytes + bytes / 8);
  }

  [[nodiscard]] const chunk& part() const noexcept { return part_; }
  [[nodiscard]] std::uint64_t tiles() const noexcept { return tiles_; }

  /// For the first pass, which writes what tiles emit to where the host reads it, without a copy.
  [[nodiscard]] emit_counts counts_to_host() const {
    emit_counts all = counts_;
    all.tiles = spaces();
    return all;
  }

  /// For the second pass.
  [[nodiscard]] const emit_counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const emit_log<Task>& log() const noexcept { return log_; }

  /// The first pass is what is queued on `on` so far.
  void end_count(const stream& on) { counted_.record(on); }
  /// Sleeps until the first pass has ended.
  void wait() const { counted_.wait(); }

  /// After wait(): the space of each tile becomes the space of the tiles before it, here and on the device.
  void place_tiles(const stream& on) {
    emit_space before;
    for (std::uint64_t i = 0; i < tiles_; ++i) {
      const emit_space own = spaces()[i];
      spaces()[i] = before;
      before += own;
    }
    spaces()[tiles_] = before;
    if (before.emits == 0) return;  // nobody would wait for the copy
    copy_small(reinterpret_cast<std::uint64_t*>(counts_.tiles), seen_->as<const std::uint64_t>(),
               (tiles_ + 1) * (sizeof(emit_space) / sizeof(std::uint64_t)), on);
  }

  /// After place_tiles(): of tile i what the tiles before it take, and at [tiles()] what all take.
  [[nodiscard]] emit_space* spaces() const { return seen_->as<emit_space>(); }

 private:
  chunk part_;
  std::uint64_t tiles_ = 0;
  emit_counts counts_;
  emit_log<Task> log_;
  scratch of_tiles_;
  scratch of_warps_;
  scratch of_lanes_;
  scratch of_log_;
  scratch of_log_counts_;
  std::unique_ptr<pinned_buffer> seen_;
  event counted_;
};

}  // namespace duomap::gpu
