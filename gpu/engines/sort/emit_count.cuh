// Maps every record to count its emits and their bytes: the first pass of the sort engine.
#pragma once

#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/key.hpp"
#include "core/task.hpp"
#include "gpu/engines/sort/emit_log.cuh"
#include "gpu/engines/sort/emit_space.hpp"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Whether a task's emits may need bytes beside their compact_keys.
template <class Task>
inline constexpr bool has_long_keys = std::same_as<typename Task::key, byte_view> ||
                                      (hashed_key<typename Task::key> &&
                                       sizeof(result_key<typename Task::key>) > compact_key::max_inline);
template <class Task>
inline constexpr bool has_long_values = std::same_as<typename Task::reduce::value_type, byte_view>;
template <class Task>
inline constexpr bool stores_bytes = has_long_keys<Task> || has_long_values<Task>;

/// The emitter of the first pass: counts emits and the bytes that they store.
template <class Task>
class emit_counter {
  using key_type = result_key<typename Task::key>;
  using emitted_type = emit_type<typename Task::reduce>;

 public:
  DUOMAP_HD void operator()(const key_type& key, const emitted_type& emitted) {
    ++space_.emits;
    if constexpr (stores_bytes<Task>) {
      space_.bytes += stored_bytes_of(key_bytes(key).size);
      if constexpr (has_long_values<Task>) space_.bytes += stored_bytes_of(emitted.size);
    }
  }
  DUOMAP_HD void operator()(const emitted_type& emitted) { (*this)(key_type{}, emitted); }

  [[nodiscard]] DUOMAP_HD const emit_space& space() const { return space_; }

 private:
  emit_space space_;
};

/// The calling warp's share of a tile: consecutive records, which the warp takes 32 at a time, one for each
/// lane. So emits of neighbouring lanes stand side by side, and one count for each warp is enough to place
/// each emit. Both passes divide the records in the same way.
struct warp_share {
  std::uint32_t begin;
  std::uint32_t end;
};
inline constexpr unsigned tile_warps = block_threads / 32;

[[nodiscard]] __device__ inline warp_share share_of_warp(std::uint32_t records) {
  const std::uint32_t share = (records + block_threads - 1) / block_threads * 32;
  const std::uint32_t begin = min(threadIdx.x / 32 * share, records);
  return {begin, min(begin + share, records)};
}

/// Sums the values of the calling lane and all lanes before it. The bytes are 0 if the task stores none.
template <class Task>
[[nodiscard]] __device__ emit_space sum_up_to_lane(emit_space sum) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    emit_space other{__shfl_up_sync(~0u, sum.emits, step), 0};
    if constexpr (stores_bytes<Task>) other.bytes = __shfl_up_sync(~0u, sum.bytes, step);
    if (lane >= step) sum += other;
  }
  return sum;
}

template <class Task>
[[nodiscard]] __device__ emit_space space_of_lane(const emit_space& mine, unsigned lane) {
  emit_space other{__shfl_sync(~0u, mine.emits, lane), 0};
  if constexpr (stores_bytes<Task>) other.bytes = __shfl_sync(~0u, mine.bytes, lane);
  return other;
}

/// The counts of a chunk's emits, in device memory. In the first pass `tiles` points to host memory.
struct emit_counts {
  emit_space* tiles = nullptr;
  emit_space* warps = nullptr;  // [i * tile_warps + w] is for warp w of tile i
  // For the first groups of 32 records of each warp: the lanes whose record emits.
  std::uint32_t* lanes = nullptr;

  /// The number of groups of 32 records for which `lanes` says which records emit; a warp of a tile of HTML
  /// has some 50 records. The second pass maps all later records again. With `lanes`, an H200 counts one word
  /// in 800 MB of novels in its memory in 1.5 ms, instead of 1.9.
  static constexpr unsigned noted = 8;
  [[nodiscard]] __device__ std::uint32_t* lanes_of_warp(std::uint64_t tile) const {
    return lanes + (tile * tile_warps + threadIdx.x / 32) * noted;
  }
};

template <class Task>
struct count_arguments {
  Task task;
  typename Task::format format;
  chunk part;
  emit_counts counts;
  emit_log<Task> log;
};

/// Shared memory of a block, in both passes.
template <class Task>
using tile_memory = typename record_tile<typename Task::format>::storage;

/// The kernel, with one block for each tile.
template <class Task>
__global__ void __launch_bounds__(block_threads)
    count_emits(const __grid_constant__ count_arguments<Task> with) {
  extern __shared__ uint4 dynamic_memory[];
  record_tile<typename Task::format> tile(*reinterpret_cast<tile_memory<Task>*>(dynamic_memory), with.part,
                                          with.format);
  tile.load(blockIdx.x);
  __syncthreads();
  tile.find();

  __shared__ std::uint32_t logged[tile_warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const std::uint64_t warp_of_chunk = std::uint64_t{blockIdx.x} * tile_warps + warp;
  auto emit = [&] {
    if constexpr (logs_emits<Task>) {
      if (lane == 0) logged[warp] = 0;
      __syncwarp();
      return emit_logger<Task, emit_counter<Task>>(with.part, with.log.emits + warp_of_chunk * most_logged,
                                                   logged + warp);
    } else {
      return emit_counter<Task>();
    }
  }();
  const warp_share mine = share_of_warp(tile.count());
  std::uint32_t* const lanes = with.counts.lanes_of_warp(blockIdx.x);
  for (std::uint32_t first = mine.begin, step = 0; first < mine.end; first += 32, ++step) {
    const std::uint64_t before = emit.space().emits;
    if (first + lane < mine.end) {
      record_bytes bytes;
      if constexpr (logs_emits<Task>) emit.begin_record(first + lane - mine.begin);
      with.task.map(tile.record(first + lane, bytes), emit);
    }
    const std::uint32_t emitting = __ballot_sync(all_lanes, emit.space().emits != before);
    if (lane == 0 && step < emit_counts::noted) lanes[step] = emitting;
  }
  const emit_space all_of_warp = sum_up_to_lane<Task>(emit.space());
  emit_space* const warps = with.counts.warps + std::uint64_t{blockIdx.x} * tile_warps;
  if (lane == 31) warps[warp] = all_of_warp;
  __syncthreads();
  if (logs_emits<Task> && lane == 0) with.log.counts[warp_of_chunk] = logged[warp];
  if (threadIdx.x >= 32) return;
  const emit_space all_of_tile = sum_up_to_lane<Task>(lane < tile_warps ? warps[lane] : emit_space{});
  if (lane == 31) with.counts.tiles[blockIdx.x] = all_of_tile;
}

}  // namespace duomap::gpu
