// Writes logged emits to their places, or maps the records again: the second pass of the sort engine.
#pragma once

#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "gpu/engines/sort/emit_count.cuh"
#include "gpu/engines/sort/emit_log.cuh"
#include "gpu/engines/sort/sort_keys.cuh"
#include "gpu/engines/sort/stored_bytes.cuh"
#include "gpu/record/key_bytes.hpp"
#include "gpu/record/record_tile.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// An emit with its key, as the host keeps it for `collect` and for hashed keys. The device writes this form
/// directly.
template <class Task>
using emit_entry = keyed_entry<stored_value<typename Task::reduce::value_type>>;

/// A mistake of the task that the device has found.
enum emit_fault : std::uint32_t {
  changed_emits = 1,  ///< map emitted something else than in the first pass
  key_range = 2,      ///< a dense key is not below key_count()
};

/// The arrays for the emits of a piece; emit i of the piece has index i.
template <class Task>
struct emit_arrays {
  using value_type = typename Task::reduce::value_type;
  static constexpr bool collects = duomap::detail::is_collect<typename Task::reduce>;

  emit_entry<Task>* entries = nullptr;  // for collect and for hashed keys: emits in the host's form
  value_type* values = nullptr;         // for dense keys and for no key, if they are reduced
  // If keys are reduced: the emits' sort keys (sort_order), and the emits' own indices.
  std::uint32_t* sort_keys = nullptr;
  std::uint32_t* order = nullptr;

  char* store = nullptr;                // the bytes of long keys and values
  const char* store_on_read = nullptr;  // where the store will be when the keys are read
  std::uint32_t* faults = nullptr;      // emit_fault values, or'ed together, in page-locked memory
};

/// Whether a task's emits are written as entries.
template <class Task>
inline constexpr bool writes_entries = emit_arrays<Task>::collects || hashed_key<typename Task::key>;

template <class Task>
struct write_arguments {
  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  emit_counts counts;  // tiles[i] is the room of the chunk's tiles before tile i
  emit_log<Task> log;
  std::uint64_t first_tile;
  emit_arrays<Task> to;
  sort_order by;
  std::uint64_t key_count;  // the number of dense keys
};

/// Notes a mistake of the task, so that the run fails.
template <class Task>
__device__ void report(const write_arguments<Task>& with, emit_fault what) {
  atomicOr(with.to.faults, static_cast<std::uint32_t>(what));
}

/// The emitter of the second pass: writes the emits of one record.
template <class Task>
class emit_writer {
  using key_type = result_key<typename Task::key>;
  using emitted_type = emit_type<typename Task::reduce>;

 public:
  /// Writes from emit `begin.emits` and store byte `begin.bytes` on, up to the room in `space`.
  __device__ emit_writer(const write_arguments<Task>& with, const record_bytes& record,
                         const emit_space& begin, const emit_space& space)
    : with_(with), record_(record), next_(begin), end_(begin) {
    end_ += space;
  }

  DUOMAP_HD void operator()(const key_type& key, const emitted_type& emitted) {
#if defined(__CUDA_ARCH__)
    // The emit is dropped, because the next place belongs to another record's emit.
    if (next_.emits == end_.emits) return report(with_, changed_emits);
    const std::uint64_t place = next_.emits++;
    if constexpr (writes_entries<Task>) {
      const kept_key kept = keep(key_bytes(key));
      if constexpr (has_long_values<Task>) {
        with_.to.entries[place] = {kept.key, keep(emitted).key};
      } else {
        with_.to.entries[place] = {kept.key, value_of_emit(with_.reduce, emitted)};
      }
      if constexpr (!emit_arrays<Task>::collects) set_order(place, with_.by.of_hash(kept.hash));
    } else {
      with_.to.values[place] = value_of_emit(with_.reduce, emitted);
      if constexpr (std::same_as<typename Task::key, dense>) {
        if (key >= with_.key_count) report(with_, key_range);
        set_order(place, static_cast<std::uint32_t>(key));
      }
    }
#endif
  }
  DUOMAP_HD void operator()(const emitted_type& emitted) { (*this)(key_type{}, emitted); }

  /// Called after map: checks that the emits take the room that the first pass has counted.
  __device__ void finish() {
    if (next_ != end_) report(with_, changed_emits);
  }

 private:
  struct kept_key {
    compact_key key;
    std::uint64_t hash;
  };

  __device__ void set_order(std::uint64_t place, std::uint32_t sort_key) {
    with_.to.sort_keys[place] = sort_key;
    with_.to.order[place] = static_cast<std::uint32_t>(place);
  }

  [[nodiscard]] __device__ bool in_this_chunk(const char* at) const {
    const char* const begin = with_.part.data;  // null for index ranges
    return begin != nullptr &&
           reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(begin) < with_.part.size;
  }

  [[nodiscard]] __device__ kept_key keep(byte_view bytes) {
    const bool in_chunk_bytes = in_this_chunk(bytes.data);
    if (bytes.size <= compact_key::max_inline) {
      const compact_key key = in_chunk_bytes ? short_key_in_chunk(bytes) : short_key(bytes, anywhere{});
      return {key, key.hash()};
    }
    const std::uint64_t needed = stored_bytes_of(bytes.size);
    if (end_.bytes - next_.bytes < needed) {
      report(with_, changed_emits);
      return {};
    }
    const std::uint64_t at = next_.bytes;
    next_.bytes += needed;
    char* const to = with_.to.store + at;
    const std::uint64_t hash =
        in_chunk_bytes ? store_long(bytes, to, in_chunk{}) : store_long(bytes, to, anywhere{});
    return {compact_key::of_stored(hash, with_.to.store_on_read + at + sizeof(std::uint64_t)), hash};
  }

  /// Uses the first eight bytes of the record if they are in registers.
  [[nodiscard]] __device__ compact_key short_key_in_chunk(byte_view bytes) const {
    if (!record_.has_head || bytes.data != record_.bytes.data || bytes.size > 8)
      return short_key(bytes, in_chunk{});
    const auto size = static_cast<unsigned>(bytes.size);
    return {size == 8 ? record_.head : keep_bytes(record_.head, size), compact_key::length_tag(size)};
  }

  const write_arguments<Task>& with_;
  const record_bytes& record_;
  emit_space next_;
  emit_space end_;
};

/// Writes `count` logged emits in the order of their records, from `begin` on. Called by a whole warp.
template <class Task>
__device__ void write_logged(const write_arguments<Task>& with, const logged_emit<Task>* log,
                             std::uint32_t count, const emit_space& begin) {
  if (count == 0) return;
  const unsigned lane = lane_index();
  const logged_emit<Task> mine = log[min(lane, count - 1)];
  emit_counter<Task> counter;
  counter(mine.key, mine.value);
  emit_space before = begin;
  for (unsigned other = 0; other < count; ++other) {
    const std::uint32_t record = __shfl_sync(all_lanes, mine.record, static_cast<int>(other));
    const emit_space space = space_of_lane<Task>(counter.space(), other);
    // Emits of one record keep their order.
    if (record < mine.record || (record == mine.record && other < lane)) before += space;
  }
  if (lane >= count) return;
  const record_bytes no_record;
  emit_writer<Task> emit(with, no_record, before, counter.space());
  emit(mine.key, mine.value);
  emit.finish();
}

/// One block for each tile of the piece, which begins at with.first_tile. The emits of each record are
/// counted again, so that neighbouring lanes write to neighbouring places: 0.09 ms instead of 0.45 for 12.2
/// million words on an H200.
template <class Task>
__global__ void __launch_bounds__(block_threads)
    write_emits(const __grid_constant__ write_arguments<Task> with) {
  const std::uint64_t index = with.first_tile + blockIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  emit_space end =
      sum_up_to_lane<Task>(lane < tile_warps ? with.counts.warps[index * tile_warps + lane] : emit_space{});
  emit_space next = warp == 0 ? emit_space{} : space_of_lane<Task>(end, warp - 1);
  end = space_of_lane<Task>(end, warp);
  const emit_space before_tile = with.counts.tiles[index] - with.counts.tiles[with.first_tile];
  next += before_tile;
  end += before_tile;
  if constexpr (logs_emits<Task>) {
    const std::uint64_t warp_of_chunk = index * tile_warps + warp;
    const std::uint32_t logged = with.log.counts[warp_of_chunk];
    if (__syncthreads_and(static_cast<int>(logged <= most_logged)) != 0) {
      write_logged(with, with.log.emits + warp_of_chunk * most_logged, logged, next);
      return;
    }
  }

  extern __shared__ uint4 dynamic_memory[];
  record_tile<typename Task::format> tile(*reinterpret_cast<tile_memory<Task>*>(dynamic_memory), with.part,
                                          with.format);
  tile.load(index);
  __syncthreads();
  tile.find();
  const warp_share mine = share_of_warp(tile.count());
  const std::uint32_t* const lanes = with.counts.lanes_of_warp(index);
  for (std::uint32_t first = mine.begin, step = 0; first < mine.end; first += 32, ++step) {
    const std::uint32_t emitting = step < emit_counts::noted ? lanes[step] : all_lanes;
    if (emitting == 0) continue;
    const bool active = first + lane < mine.end && (emitting >> lane & 1) != 0;
    record_bytes bytes;
    emit_counter<Task> count;
    if (active) with.task.map(tile.record(first + lane, bytes), count);
    const emit_space own = count.space();
    emit_space behind = sum_up_to_lane<Task>(own);
    behind += next;
    if (behind.emits > end.emits || behind.bytes > end.bytes) {
      report(with, changed_emits);  // more emits than in the first pass
    } else if (own.emits > 0) {
      emit_writer<Task> emit(with, bytes, behind - own, own);
      with.task.map(tile.record(first + lane, bytes), emit);
      emit.finish();
    }
    next = space_of_lane<Task>(behind, 31);
  }
  if (next != end) report(with, changed_emits);
}

}  // namespace duomap::gpu
