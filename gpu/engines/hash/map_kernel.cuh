// Maps the records of a chunk and reduces their emits: the kernel of the hash engine.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/hash/block_table.cuh"
#include "gpu/engines/hash/device_table.hpp"
#include "gpu/engines/hash/emitters.cuh"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/engines/hash/tuning.hpp"
#include "gpu/record/strip_tile.cuh"
#include "gpu/record/warp_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// The fixed part of a block's shared memory. The warps' tiles follow it, and then the slots of the block's
/// tables.
struct alignas(16) block_memory : block_counts {};

template <class Task>
using warp_memory = typename warp_tile<typename Task::format>::storage;

/// Whether the engine goes through a tile's records twice. The first time, it folds emits whose keys stand in
/// their home slots of the block's table. The second time, it folds the rest, 15 % of the words of English
/// text. In a single pass, each word of the rest would make its whole warp wait.
template <class Task>
concept mapped_twice = promises_emits<Task> &&
                       (!std::same_as<typename Task::key, byte_view> ||
                        keys_are_within_record<Task>)&&warp_tile<typename Task::format>::most_are_short
                       && (max_emits_of<Task> == 1);

namespace detail {

/// The most room that a tile needs, by the task's promise.
template <class Task>
[[nodiscard]] __device__ room promised_room(std::uint64_t records, std::uint64_t record_bytes) {
  constexpr std::uint64_t emits = max_emits_of<Task>;
  if constexpr (std::same_as<typename Task::key, byte_view>) {
    // Each key of at least 8 bytes takes up to 23 bytes of the pool beside its own bytes.
    constexpr std::uint64_t extra = extra_key_bytes_of<Task>;
    const std::uint64_t long_keys = extra > 0 ? records : min(records, record_bytes / 8 + 1);
    return {records * emits, emits * (23 * long_keys + record_bytes + extra * records)};
  } else {
    return {records * emits, records * emits * pool_bytes_of_key(sizeof(typename Task::key))};
  }
}

[[nodiscard]] __device__ inline room warp_sum(const room& of_lane) {
  return {gpu::warp_sum(of_lane.keys), gpu::warp_sum(of_lane.pool_bytes)};
}

/// The room that a tile needs. Maps the tile without folding its emits.
template <class Task, class Tile>
[[nodiscard]] __device__ room counted_room(const Task& task, const Tile& tile) {
  counting_emitter<typename Task::key, emit_type<typename Task::reduce>> emit;
  for (std::uint32_t i = lane_index(); i < tile.count(); i += 32) {
    record_bytes bytes;
    task.map(tile.record(tile.start(i), bytes), emit);
  }
  return warp_sum(emit.needed);
}

/// Reserves `needed` room for the warp, less the free room that the warp already has. First tries to reserve
/// for three tiles, so that the warp need not ask for every tile.
template <class Task>
[[nodiscard]] __device__ bool get_room(const map_arguments<Task>& with, const room& needed, room& free) {
  const auto missing = [](unsigned long long has, unsigned long long wanted) {
    return wanted > has ? wanted - has : 0;
  };
  for (const unsigned tiles : {3u, 1u}) {
    const room more{missing(free.keys, tiles * needed.keys),
                    missing(free.pool_bytes, tiles * needed.pool_bytes)};
    bool granted = false;
    if (lane_index() == 0) granted = with.table.reserve(more.keys, more.pool_bytes);
    if (__any_sync(all_lanes, granted)) {
      free += more;
      return true;
    }
  }
  if (lane_index() == 0) {
    atomicMax(&with.queue.progress->needed_keys, needed.keys);
    atomicMax(&with.queue.progress->needed_pool_bytes, needed.pool_bytes);
  }
  return false;
}

/// Maps the records of a tile. The warp must have room for their emits.
template <class Task, class Tile>
__device__ void map_tile(const Task& task, Tile& tile, emit_target<Task>& target) {
  for (std::uint32_t i = lane_index(); i < tile.count(); i += 32) {
    record_bytes bytes;
    const auto record = tile.record(tile.start(i), bytes);
    folding_emitter<Task> emit{target, bytes};
    task.map(record, emit);
  }
  __syncwarp();
}

/// Maps the records of a tile with all lanes in step. Two loops: the first folds most emits, the second the
/// rest.
template <mapped_twice Task, class Tile>
__device__ void map_tile(const Task& task, Tile& tile, emit_target<Task>& target) {
  std::uint32_t left = 0;
  for (std::uint32_t first = 0; first < tile.count(); first += 32) {
    bool again = false;
    std::uint32_t start = 0;
    if (first + lane_index() < tile.count()) {
      start = tile.start(first + lane_index());
      record_bytes bytes;
      typename Task::format::record record;
      again = !tile.near_record(start, record, bytes);
      if (!again) {
        keeping_emitter<Task> emit{target, bytes};
        task.map(record, emit);
        const byte_view key = key_bytes(emit.key);
        again =
            emit.has_emitted && (key.size > max_word_bytes || !target.fold_at_home(key, emit.emitted, bytes));
      }
    }
    left = tile.keep(start, again, left);
  }
  for (std::uint32_t first = 0; first < left; first += 32) {
    record_bytes bytes;
    keeping_emitter<Task> emit{target, bytes};
    if (first + lane_index() < left) {
      const auto record = tile.record(tile.start(first + lane_index()), bytes);
      task.map(record, emit);
    }
    __syncwarp();
    target.fold(emit.has_emitted, key_bytes(emit.key), emit.emitted, bytes, [] { __syncwarp(); });
  }
}

[[nodiscard]] __device__ inline tile_run claim_run(const tile_queue& queue) {
  std::uint64_t word = 0;
  if (lane_index() == 0) word = queue.claim().packed();
  return tile_run::unpack(__shfl_sync(all_lanes, word, 0));
}

/// The work of one warp: maps tiles until none is left, or until the device's table has no room for the keys
/// of the next tile. Returns the room that the warp has reserved in the table but not used.
template <class Task, class Tile>
[[nodiscard]] __device__ room map_tiles(const map_arguments<Task>& with, deferred_tiles& left, Tile& tile,
                                        emit_target<Task>& target) {
  room free{0, 0};
  while (true) {
    tile_run run = claim_run(with.queue);
    if (run.count == 0) return free;
    for (; run.count > 0; ++run.first, --run.count) {
      tile.find(run.first);
      room needed;
      if constexpr (promises_emits<Task>) {
        needed = promised_room<Task>(tile.count(), tile.bytes_at_most());
      } else {
        needed = counted_room(with.task, tile);
      }
      if ((needed.keys > free.keys || needed.pool_bytes > free.pool_bytes) && !get_room(with, needed, free)) {
        if (lane_index() == 0) with.queue.give_back(run);
        return free;
      }
      map_tile(with.task, tile, target);
      const room used = target.take_used();
      if (__any_sync(all_lanes, (used.keys | used.pool_bytes) != 0)) {
        const room all = warp_sum(used);
        free.keys -= all.keys;
        free.pool_bytes -= all.pool_bytes;
      }
      // Only the first lane reads and writes `left` and the list of tiles.
      if (lane_index() == 0 && left.has_deferred_key) {
        with.queue.left_before[run.first] = left.last;
        left = {static_cast<std::uint32_t>(run.first), false};
      }
    }
  }
}

/// Folds the long keys that the warp's lanes have left; all lanes fold each key together.
template <class Task, class Tile>
__device__ void fold_left_keys(const map_arguments<Task>& with, deferred_tiles& left, Tile& tile,
                               emit_target<Task>& target) {
  for (std::uint32_t one = left.last; one != deferred_tiles::none; one = with.queue.left_before[one]) {
    tile.find(one);
    for (std::uint32_t i = 0; i < tile.count(); ++i) {
      record_bytes bytes;
      const auto record = tile.record(tile.start(i), bytes);
      together_emitter<Task> emit{target, bytes};
      with.task.map(record, emit);
    }
  }
}

/// Folds the block's tables into the device's table. Returns the room that the calling thread used.
template <class Task>
[[nodiscard]] __device__ room empty_block_tables(const map_arguments<Task>& with,
                                                 const block_table<typename Task::reduce>& local) {
  room used{0, 0};
  using table = device_table<typename Task::reduce>;
  for (unsigned i = threadIdx.x; i < local.slots; i += blockDim.x) {
    const std::uint64_t word = local.words[i];
    if (word == 0) continue;
    const auto fold = [&](typename table::cell& cell) {
      cell.fold(local.cells[i].read(), with.table.reduce);
    };
    if ((word & long_flag) == 0) {
      used.keys += with.table.fold_short(word, hash_of_short_word(word), fold) ? 1 : 0;
    } else {
      const byte_view key = chunk_key::bytes(word, with.part.data);
      const auto done = with.table.fold_long(key, hash_of_long(key, in_chunk{}), in_chunk{}, fold);
      used += {done.is_new ? 1ull : 0ull, done.pool_bytes};
    }
  }
  return used;
}

}  // namespace detail

/// The kernel. Warps claim tiles independently, without a barrier before the last tile. When the kernel has
/// ended, the device's table has all emits of a tile, or the tile is in the queue again, or no warp has
/// claimed it.
template <class Task>
__global__ void __launch_bounds__(most_block_threads, 1)
    map_and_reduce(const __grid_constant__ map_arguments<Task> with) {
  extern __shared__ uint4 dynamic_memory[];
  auto& counts = *reinterpret_cast<block_memory*>(dynamic_memory);
  auto* const tiles = reinterpret_cast<warp_memory<Task>*>(&counts + 1);
  using local_table = block_table<typename Task::reduce>;
  const unsigned warps = blockDim.x / 32;
  auto* const words = reinterpret_cast<unsigned long long*>(tiles + warps);
  const unsigned slots = with.block_tables * with.block_slots;
  const local_table all{words, reinterpret_cast<typename local_table::cell*>(words + slots), slots};
  const bool leads = threadIdx.x == 0;

  all.clear(with.reduce);
  if (leads) {
    counts = {};
    for (deferred_tiles& one : counts.of_warps) one.last = deferred_tiles::none;
  }
  __syncthreads();

  const unsigned warp = threadIdx.x / 32;
  const unsigned first_slot = warp * with.block_tables / warps * with.block_slots;
  const local_table of_group{all.words + first_slot, all.cells + first_slot, with.block_slots};
  warp_tile<typename Task::format> tile(tiles[warp], with.part, with.format);
  emit_target<Task> target(with, of_group, counts);
  const room unused = detail::map_tiles(with, counts.of_warps[warp], tile, target);
  if (lane_index() == 0) add_to(counts.unused, unused);
  __syncwarp();
  if constexpr (can_defer_keys<Task>) detail::fold_left_keys(with, counts.of_warps[warp], tile, target);

  __syncthreads();
  add_to(counts.added, detail::empty_block_tables(with, all));
  __syncthreads();
  if (leads) {
    with.table.give_back(counts.unused.keys + counts.claimed.keys - counts.added.keys,
                         counts.unused.pool_bytes + counts.claimed.pool_bytes - counts.added.pool_bytes);
    if (counts.broken_promise != 0) with.queue.progress->broken_promise = 1;
    if (counts.past_tables != 0)
      atomicAdd(&with.queue.progress->past_tables, static_cast<unsigned long long>(counts.past_tables));
  }
}

}  // namespace duomap::gpu
