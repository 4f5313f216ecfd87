// Keeps a chunk between the sort engine's two passes, with the room of its tiles' emits, as the first pass
// counted it.
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

/// Holds one chunk at a time, and keeps its memory for the next.
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

  /// The arrays for the first pass, which writes the room of the tiles directly to host memory.
  [[nodiscard]] emit_counts counts_to_host() const {
    emit_counts all = counts_;
    all.tiles = spaces();
    return all;
  }

  /// The arrays for the second pass.
  [[nodiscard]] const emit_counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const emit_log<Task>& log() const noexcept { return log_; }

  /// Marks the end of the first pass, after all work that is queued on `on`.
  void end_count(const stream& on) { counted_.record(on); }
  void wait() const { counted_.wait(); }

  /// After wait(): replaces the room of each tile by the room of all tiles before it, here and on the device.
  void place_tiles(const stream& on) {
    emit_space before;
    for (std::uint64_t i = 0; i < tiles_; ++i) {
      const emit_space own = spaces()[i];
      spaces()[i] = before;
      before += own;
    }
    spaces()[tiles_] = before;
    if (before.emits == 0) return;  // no kernel follows that would read the copy
    copy_small(reinterpret_cast<std::uint64_t*>(counts_.tiles), seen_->as<const std::uint64_t>(),
               (tiles_ + 1) * (sizeof(emit_space) / sizeof(std::uint64_t)), on);
  }

  /// After place_tiles(): at [i] the room of the tiles before tile i, and at [tiles()] the room of all tiles.
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
