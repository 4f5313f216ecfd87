#include "gpu/engines/hash/open_chunk.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/small_copy.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace duomap::gpu {

void open_chunk::begin(const chunk& part, std::uint64_t tiles, std::uint64_t left, const stream& on) {
  if (const std::uint64_t needed = left * sizeof(std::uint32_t); left_before_.size() < needed) {
    left_before_ = {};
    left_before_ = device_buffer(needed, on);
  }
  part_ = part;
  tiles_ = tiles;
  launches_ = 0;
  *seen_.as<chunk_progress>() = {};
}

std::uint64_t open_chunk::tiles_left() const noexcept {
  return progress().returned + (tiles_ - std::min<std::uint64_t>(progress().next_tile, tiles_));
}

tile_queue open_chunk::begin_launch(const stream& on) {
  auto& next = *seen_.as<chunk_progress>();
  const std::uint32_t returned_before = next.returned;
  next.given_out = next.returned = 0;
  next.needed_keys = next.needed_pool_bytes = 0;
  static_assert(sizeof next % sizeof(std::uint64_t) == 0);
  copy_small(progress_.as<std::uint64_t>(), seen_.as<const std::uint64_t>(),
             sizeof next / sizeof(std::uint64_t), on);
  auto* const lists = returned_.as<unsigned long long>();
  const std::uint64_t run_length = std::clamp<std::uint64_t>(tiles_ / (8 * warps_), 1, tile_run::longest);
  const tile_queue queue{.progress = progress_.as<chunk_progress>(),
                         .returned_before = lists + (launches_ % 2) * warps_,
                         .returned_now = lists + ((launches_ + 1) % 2) * warps_,
                         .returned_before_count = returned_before,
                         .left_before = left_before_.as<std::uint32_t>(),
                         .run_length = static_cast<std::uint32_t>(run_length),
                         .tiles = tiles_};
  ++launches_;
  return queue;
}

void open_chunk::end_launch(const stream& on) {
  check(cudaMemcpyAsync(seen_.as<void>(), progress_.as<void>(), sizeof(chunk_progress),
                        cudaMemcpyDeviceToHost, on.get()),
        "reading a chunk's progress");
  ended_.record(on);
}

}  // namespace duomap::gpu
