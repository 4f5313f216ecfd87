// Maps the records of a chunk and keeps the emits that may be among the best: the kernel of the top-k engine.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/engines/top_k/candidate.hpp"
#include "gpu/engines/top_k/sort_together.cuh"
#include "gpu/engines/top_k/tuning.hpp"
#include "gpu/record/strip_tile.cuh"
#include "gpu/record/warp_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

template <class Task>
struct top_arguments {
  using value_type = typename Task::reduce::value_type;

  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  tile_queue queue;
  candidate_list<value_type> list;
  const top_bound<value_type>* bounds;  ///< each key's bound; not written during the kernel
  std::uint64_t keys;
};

/// Compares emits with a bound. With keys, this is the bound of the emit's key. Without keys, it is the
/// warp's own bound, which gets stricter with the warp's candidates.
template <class Task>
struct top_filter {
  using value_type = typename Task::reduce::value_type;
  static constexpr bool has_keys = std::same_as<typename Task::key, dense>;

  const top_arguments<Task>& with;
  top_bound<value_type> own;
  bool bad_key = false;

  [[nodiscard]] DUOMAP_HD bool lets_through(std::uint64_t key, const value_type& value) {
    if (with.reduce.k == 0) return false;
    if constexpr (has_keys) {
      if (key >= with.keys) {
        bad_key = true;
        return false;
      }
      return with.bounds[key].lets_through(value, with.reduce.better);
    } else {
      return own.lets_through(value, with.reduce.better);
    }
  }
};

/// Counts the emits that pass the filter.
template <class Task>
struct counting_top_emitter {
  using value_type = typename Task::reduce::value_type;
  top_filter<Task>& filter;
  std::uint32_t passed = 0;

  DUOMAP_HD void operator()(std::uint64_t key, const value_type& value) {
    if (filter.lets_through(key, value)) ++passed;
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(0, value); }
};

/// Writes the emits that pass the filter to consecutive places.
template <class Task>
struct writing_top_emitter {
  using value_type = typename Task::reduce::value_type;
  top_filter<Task>& filter;
  candidate<value_type>* next;

  DUOMAP_HD void operator()(std::uint64_t key, const value_type& value) {
    if (filter.lets_through(key, value)) *next++ = {key, value};
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(0, value); }
};

/// A warp's candidates in shared memory, used by all its lanes together. The warp has reserved a place in the
/// list for each of them, so that a mapped emit always has a place.
template <class Task>
class warp_candidates {
 public:
  using value_type = typename Task::reduce::value_type;
  static constexpr unsigned room = choose_sorted_by_warp(sizeof(candidate<value_type>));
  /// Places of the list that a warp keeps reserved: enough for a tile of 256 emits, so that the warp need not
  /// reserve for each tile.
  static constexpr unsigned most_held = room + 256;

  __device__ warp_candidates(candidate<value_type>* memory, const top_arguments<Task>& with)
    : items_(memory), with_(with) {}

  /// Reserves places for the warp's candidates and `more` others. Returns false if the list lacks places.
  [[nodiscard]] __device__ bool grant(std::uint64_t more) {
    if (granted_ >= count_ + more) return true;
    const std::uint64_t wanted = needed_for(count_ + more);
    bool granted = false;
    if (lane_index() == 0) granted = with_.list.reserve(wanted - granted_);
    if (!__shfl_sync(all_lanes, granted ? 1 : 0, 0)) return false;
    granted_ = wanted;
    return true;
  }

  /// The number of places that a warp reserves for `candidates` candidates.
  [[nodiscard]] __device__ static std::uint64_t needed_for(std::uint64_t candidates) {
    return max(candidates, std::uint64_t{room});
  }

  /// Returns the memory for `more` candidates, which must have reserved places; a warp barrier must follow.
  /// May give `filter` a stricter bound.
  [[nodiscard]] __device__ candidate<value_type>* place(std::uint32_t more, top_filter<Task>& filter) {
    if (more > room) return places_in_list(more);
    if (count_ + more > room) keep_best(filter);
    if (count_ + more > room) write_out();
    candidate<value_type>* const end = items_ + count_;
    count_ += more;
    return end;
  }

  /// Gives back the reserved places beyond most_held.
  __device__ void trim() {
    if (granted_ <= most_held) return;
    if (lane_index() == 0) with_.list.give_back(granted_ - most_held);
    granted_ = most_held;
  }

  /// Writes the best candidates to the list, and gives back the unused places.
  __device__ void finish(top_filter<Task>& filter) {
    if (count_ > 0) {
      keep_best(filter);
      write_out();
    }
    if (granted_ > 0 && lane_index() == 0) with_.list.give_back(granted_);
  }

 private:
  __device__ void keep_best(top_filter<Task>& filter) {
    const std::uint64_t k = with_.reduce.k;
    if (count_ <= k) return;  // every candidate may be among the best
    sort_together<whole_warp>(items_, count_,
                              candidate_order<decltype(with_.reduce.better)>{with_.reduce.better});
    if constexpr (!top_filter<Task>::has_keys) {
      filter.own = {items_[k - 1].value, true};
    }
    std::uint32_t kept = 0;
    // Decides for all candidates which ones stay, before the first one moves.
    std::uint32_t stays = 0;
    for (std::uint32_t i = 0; i * 32 < count_; ++i) {
      const std::uint32_t at = i * 32 + lane_index();
      if (at < count_ && is_among_best(items_, at, k)) stays |= 1u << i;
    }
    for (std::uint32_t i = 0; i * 32 < count_; ++i) {
      const bool mine = (stays >> i & 1) != 0;
      const unsigned all = __ballot_sync(all_lanes, mine);
      candidate<value_type> moved;
      if (mine) moved = items_[i * 32 + lane_index()];
      __syncwarp();
      if (mine) items_[kept + static_cast<unsigned>(__popc(all & lanes_before()))] = moved;
      kept += static_cast<std::uint32_t>(__popc(all));
      __syncwarp();
    }
    count_ = kept;
  }

  __device__ void write_out() {
    candidate<value_type>* const to = places_in_list(count_);
    for (std::uint32_t i = lane_index(); i < count_; i += 32) to[i] = items_[i];
    __syncwarp();
    count_ = 0;
  }

  [[nodiscard]] __device__ candidate<value_type>* places_in_list(std::uint32_t count) {
    std::uint64_t place = 0;
    if (lane_index() == 0) place = static_cast<std::uint64_t>(with_.list.add(count) - with_.list.items);
    granted_ -= count;
    return with_.list.items + __shfl_sync(all_lanes, place, 0);
  }

  static_assert(room <= 32 * 32, "a lane has a bit for each of its candidates");

  candidate<value_type>* items_;
  const top_arguments<Task>& with_;
  std::uint32_t count_ = 0;
  std::uint64_t granted_ = 0;  // at least count_, if count_ > 0
};

namespace detail {

/// Maps one tile, whose records have been found. Returns false, and keeps nothing of the tile, if the list
/// lacks places. If no emit passes the filter, as in almost all tiles after the first chunk, each record is
/// mapped once. Otherwise each record is mapped twice more, 32 records at a time, so that their emits can
/// move the bound.
template <class Task, class Tile>
[[nodiscard]] __device__ bool map_top_tile(const top_arguments<Task>& with, const Tile& tile,
                                           top_filter<Task>& filter, warp_candidates<Task>& mine) {
  const auto map_record = [&](std::uint32_t i, auto& emit) {
    record_bytes bytes;
    if (i < tile.count()) with.task.map(tile.record(tile.start(i), bytes), emit);
  };
  counting_top_emitter<Task> at_most{filter};
  for (std::uint32_t i = lane_index(); i < tile.count(); i += 32) map_record(i, at_most);
  if (!__any_sync(all_lanes, at_most.passed != 0)) return true;
  const std::uint64_t all = gpu::warp_sum(at_most.passed);
  if (!mine.grant(all)) {
    if (lane_index() == 0)
      atomicMax(&with.queue.progress->needed_keys, static_cast<unsigned long long>(mine.needed_for(all)));
    return false;
  }
  for (std::uint32_t first = 0; first < tile.count(); first += 32) {
    counting_top_emitter<Task> count{filter};
    map_record(first + lane_index(), count);
    const std::uint32_t up_to_mine = inclusive_sum(count.passed);
    const std::uint32_t passed = __shfl_sync(all_lanes, up_to_mine, 31);
    if (passed == 0) continue;
    // Uses the old bound, because place() may move the bound, and the count would then be wrong.
    top_filter<Task> before = filter;
    writing_top_emitter<Task> write{before, mine.place(passed, filter) + (up_to_mine - count.passed)};
    map_record(first + lane_index(), write);
    __syncwarp();
  }
  mine.trim();
  return true;
}

}  // namespace detail

template <class Task>
struct alignas(16) top_warp_memory {
  typename warp_tile<typename Task::format>::storage tile;
  alignas(16) unsigned char candidates[warp_candidates<Task>::room *
                                       sizeof(candidate<typename Task::reduce::value_type>)];
};

/// The kernel. Warps claim tiles independently. When the kernel has ended, a tile has been mapped as a whole,
/// or is in the queue again, or no warp has claimed it.
template <class Task>
__global__ void __launch_bounds__(32 * top_warps)
    map_and_select(const __grid_constant__ top_arguments<Task> with) {
  using value_type = typename Task::reduce::value_type;
  extern __shared__ uint4 dynamic_memory[];
  auto& memory = reinterpret_cast<top_warp_memory<Task>*>(dynamic_memory)[threadIdx.x / 32];
  warp_tile<typename Task::format> tile(memory.tile, with.part, with.format);
  warp_candidates<Task> mine(reinterpret_cast<candidate<value_type>*>(memory.candidates), with);
  top_filter<Task> filter{with, {}};
  if constexpr (!top_filter<Task>::has_keys) filter.own = with.bounds[0];

  bool goes_on = true;
  while (goes_on) {
    std::uint64_t claimed = 0;
    if (lane_index() == 0) claimed = with.queue.claim().packed();
    tile_run run = tile_run::unpack(__shfl_sync(all_lanes, claimed, 0));
    if (run.count == 0) break;
    for (; goes_on && run.count > 0; ++run.first, --run.count) {
      tile.find(run.first);
      goes_on = detail::map_top_tile(with, tile, filter, mine);
      if (!goes_on) break;
    }
    if (!goes_on && lane_index() == 0) with.queue.give_back(run);
  }
  mine.finish(filter);
  if (filter.bad_key) with.queue.progress->broken_promise = 1;
}

}  // namespace duomap::gpu
