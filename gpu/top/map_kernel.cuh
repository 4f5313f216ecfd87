// The top-k engine's kernel: maps the records of a chunk and keeps what may be among the best.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/object/tile_queue.cuh"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/warp.cuh"
#include "gpu/top/candidate.hpp"
#include "gpu/top/sort_together.cuh"
#include "gpu/top/tuning.hpp"

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
  const top_bound<value_type>* bounds;  ///< of each key, not written during the kernel
  std::uint64_t keys;
};

/// What emits are compared with: each key's bound, or without keys the warp's own, which follows its
/// candidates.
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

/// Counts what the filter lets through.
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

/// Writes it, one behind the other.
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

/// A warp's candidates in shared memory. For all its lanes together. It holds a grant of the list for
/// whatever it has, so what was mapped is never without a place.
template <class Task>
class warp_candidates {
 public:
  using value_type = typename Task::reduce::value_type;
  static constexpr unsigned room = choose_sorted_by_warp(sizeof(candidate<value_type>));

  __device__ warp_candidates(candidate<value_type>* memory, const top_arguments<Task>& with)
    : items_(memory), with_(with) {}

  /// Makes room for `more` <= room candidates; false when the list has no places for them. `filter` gets a
  /// closer bound if there is one.
  [[nodiscard]] __device__ bool make_room(std::uint32_t more, top_filter<Task>& filter) {
    if (count_ + more > room) keep_best(filter);
    if (count_ + more > room) write_out();
    if (granted_ < count_ + more) {
      if (!reserve(with_.list, room - granted_)) return false;
      granted_ = room;
    }
    return true;
  }

  /// Where `more` candidates are written next, which there is room for; a warp barrier must follow.
  [[nodiscard]] __device__ candidate<value_type>* append(std::uint32_t more) {
    candidate<value_type>* const end = items_ + count_;
    count_ += more;
    return end;
  }

  /// Writes the best to the list and gives back what was granted and not used.
  __device__ void finish(top_filter<Task>& filter) {
    if (count_ > 0) {
      keep_best(filter);
      write_out();
    }
    if (granted_ > 0 && lane_index() == 0) with_.list.give_back(granted_);
  }

  /// For all lanes, at one lane's cost.
  [[nodiscard]] __device__ static bool reserve(const candidate_list<value_type>& list, std::uint64_t places) {
    bool reserved = false;
    if (lane_index() == 0) reserved = list.reserve(places);
    return __shfl_sync(all_lanes, reserved ? 1 : 0, 0) != 0;
  }
  [[nodiscard]] __device__ static candidate<value_type>* add(const candidate_list<value_type>& list,
                                                             std::uint64_t count) {
    std::uint64_t place = 0;
    if (lane_index() == 0) place = static_cast<std::uint64_t>(list.add(count) - list.items);
    return list.items + __shfl_sync(all_lanes, place, 0);
  }

 private:
  __device__ void keep_best(top_filter<Task>& filter) {
    const std::uint64_t k = with_.reduce.k;
    if (count_ <= k) return;  // all may be among the best
    sort_together<whole_warp>(items_, count_,
                              candidate_order<decltype(with_.reduce.better)>{with_.reduce.better});
    if constexpr (!top_filter<Task>::has_keys) {
      filter.own = {items_[k - 1].value, true};
    }
    std::uint32_t kept = 0;
    // Which stay is decided for all before the first one moves.
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
    candidate<value_type>* const to = add(with_.list, count_);
    for (std::uint32_t i = lane_index(); i < count_; i += 32) to[i] = items_[i];
    __syncwarp();
    granted_ -= count_;
    count_ = 0;
  }

  static_assert(room <= 32 * 32, "a lane has a bit for each of its candidates");

  candidate<value_type>* items_;
  const top_arguments<Task>& with_;
  std::uint32_t count_ = 0;
  std::uint32_t granted_ = 0;
};

namespace impl {

/// Maps one tile, whose records have been found; false when the list has no places, and nothing of the tile
/// was kept. Map sees a record for the second time only where something passed, which after the first chunk
/// is rare.
template <class Task, class Tile>
[[nodiscard]] __device__ bool map_top_tile(const top_arguments<Task>& with, const Tile& tile,
                                           top_filter<Task>& filter, warp_candidates<Task>& mine) {
  const auto map_records = [&](auto& emit) {
    for (std::uint32_t i = lane_index(); i < tile.count(); i += 32) {
      record_bytes bytes;
      with.task.map(tile.record(tile.start(i), bytes), emit);
    }
  };
  // With the bound as it was: make_room() may move it, and the count would no longer hold.
  top_filter<Task> before = filter;
  counting_top_emitter<Task> count{before};
  map_records(count);
  filter.bad_key = filter.bad_key || before.bad_key;
  const std::uint32_t up_to_mine = inclusive_sum(count.passed);
  const std::uint32_t all = __shfl_sync(all_lanes, up_to_mine, 31);
  if (all == 0) return true;

  candidate<typename Task::reduce::value_type>* to = nullptr;
  if (all <= warp_candidates<Task>::room) {
    if (!mine.make_room(all, filter)) {
      if (lane_index() == 0)
        atomicMax(&with.queue.progress->needed_keys, static_cast<unsigned long long>(mine.room));
      return false;
    }
    to = mine.append(all);
  } else {
    if (!mine.reserve(with.list, all)) {
      if (lane_index() == 0)
        atomicMax(&with.queue.progress->needed_keys, static_cast<unsigned long long>(all));
      return false;
    }
    to = mine.add(with.list, all);
  }
  writing_top_emitter<Task> write{before, to + (up_to_mine - count.passed)};
  map_records(write);
  __syncwarp();
  return true;
}

}  // namespace impl

template <class Task>
struct alignas(16) top_warp_memory {
  typename record_tile<typename Task::format>::storage tile;
  alignas(16) unsigned char candidates[warp_candidates<Task>::room *
                                       sizeof(candidate<typename Task::reduce::value_type>)];
};

/// Persistent blocks whose warps claim tiles on their own. When the kernel has ended, every tile has either
/// been mapped as a whole, or is in the queue again, or was never claimed.
template <class Task>
__global__ void __launch_bounds__(32 * top_warps)
    map_and_select(const __grid_constant__ top_arguments<Task> with) {
  using value_type = typename Task::reduce::value_type;
  extern __shared__ uint4 dynamic_memory[];
  auto& memory = reinterpret_cast<top_warp_memory<Task>*>(dynamic_memory)[threadIdx.x / 32];
  record_tile<typename Task::format> tile(memory.tile, with.part, with.format);
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
      goes_on = impl::map_top_tile(with, tile, filter, mine);
      if (!goes_on) break;
    }
    if (!goes_on && lane_index() == 0) with.queue.give_back(run);
  }
  mine.finish(filter);
  if (filter.bad_key) with.queue.progress->broken_promise = 1;
}

}  // namespace duomap::gpu
