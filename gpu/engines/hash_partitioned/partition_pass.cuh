// Sends each emit to the partition that the top bits of its key's spread name, and reduces the emits of
// frequent keys on the way: the first pass for many keys.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash/field_cell.hpp"
#include "gpu/engines/hash_partitioned/pair_list.cuh"
#include "gpu/engines/hash_partitioned/partition_regions.cuh"
#include "gpu/engines/hash_partitioned/plan.hpp"
#include "gpu/engines/hash_partitioned/record_reader.cuh"
#include "gpu/engines/hash_partitioned/sample.cuh"

#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

/// Frequent keys and their reduced values. The keys are from the sample, so each of them is in the input.
template <class Bits, reduction R>
struct hot_table {
  using cell = field_cell<R, thread_scope::device>;
  sample_table<Bits> sample;
  cell* cells = nullptr;
};

template <class Task, class Stored>
struct partition_arguments {
  using bits = key_bits<typename Task::key>;
  using value_type = typename Task::reduce::value_type;
  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  std::uint64_t records;
  partition_regions<bits, Stored> regions;
  hot_table<bits, typename Task::reduce> hot;
  pair_list<bits, value_type> list;
};

namespace detail {

/// The key that marks a slot of a hot table as empty: a key that may not stand in this slot.
template <class Bits>
[[nodiscard]] DUOMAP_HD constexpr Bits hot_mark(std::uint32_t slot, unsigned hot_slots) {
  const auto looks_there = [=](Bits key) {
    return slot == first_hot_slot(key, hot_slots) || slot == second_hot_slot(key, hot_slots);
  };
  Bits mark = 0;
  while (looks_there(mark)) ++mark;
  return mark;
}

template <class Bits, reduction R>
__global__ void clear_partitions(unsigned int* sent, unsigned partitions,
                                 typename hot_table<Bits, R>::cell* cells, const R reduce) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < partitions) sent[i] = 0;
  if (i < most_hot_slots) cells[i].clear(reduce);
}

/// Stands for the rank of an emit that goes to no partition.
inline constexpr unsigned not_staged = ~0u;

/// Frequent keys and their cells in a block's shared memory.
template <class Bits, reduction R>
class block_hot_keys {
 public:
  using cell = field_cell<R, thread_scope::block>;

  __device__ block_hot_keys(void* memory, unsigned slots)
    : keys_(static_cast<Bits*>(memory)), cells_(reinterpret_cast<cell*>(keys_ + slots)), slots_(slots) {}

  /// Called by all threads; a barrier must follow.
  __device__ void load(const sample_table<Bits>& sample, const R& reduce) const {
    for (unsigned i = threadIdx.x; i < slots_; i += blockDim.x) {
      const auto place = static_cast<unsigned>(sample.hot[i]);
      keys_[i] = place == 0 ? hot_mark<Bits>(i, slots_) : sample.finder.keys[place - 1];
      cells_[i].clear(reduce);
    }
  }

  /// If the key is frequent, folds the value into the key's cell and returns not_staged. Otherwise adds 1 to
  /// *counter and returns the old value of *counter.
  [[nodiscard]] __device__ unsigned take_or_count(Bits key, const typename R::value_type& value,
                                                  const R& reduce, unsigned* counter) const {
    const std::uint32_t first = first_hot_slot(key, slots_);
    const std::uint32_t second = second_hot_slot(key, slots_);
    const bool is_first = keys_[first] == key;
    const bool is_hot = is_first || keys_[second] == key;
    cell* const mine = cells_ + (is_first ? first : second);
    if constexpr (update_kind_of<R>() == update_kind::add && sizeof(cell) == sizeof(unsigned)) {
      // One addition serves frequent and other keys, so that lanes do not diverge.
      unsigned* const where = is_hot ? reinterpret_cast<unsigned*>(mine) : counter;
      const unsigned before = atomicAdd(where, is_hot ? static_cast<unsigned>(value) : 1u);
      return is_hot ? not_staged : before;
    } else {
      if (!is_hot) return atomicAdd(counter, 1u);
      mine->fold(value, reduce);
      return not_staged;
    }
  }

  /// Folds the cells into the cells in device memory; each block starts at a different slot. Call it after a
  /// barrier.
  __device__ void store(const hot_table<Bits, R>& hot, const R& reduce) const {
    const unsigned start = static_cast<unsigned>(std::uint64_t{slots_} * blockIdx.x / gridDim.x);
    for (unsigned i = threadIdx.x; i < slots_; i += blockDim.x) {
      const unsigned slot = (i + start) % slots_;
      if (hot.sample.hot[slot] != 0) hot.cells[slot].fold(cells_[slot].read(), reduce);
    }
  }

 private:
  Bits* keys_;
  cell* cells_;
  unsigned slots_;
};

}  // namespace detail

/// The most emits of a thread in a tile.
template <class Bits, class V>
inline constexpr unsigned pass_emits_per_thread = pass_bytes_per_thread / sizeof(key_value<Bits, V>);

/// Counts a tile's emits by partition, sorts them by partition in shared memory, and writes them in that
/// order, so that entries of one partition are written together. One atomic operation for each partition
/// takes the room of all the tile's entries. Values that do not fit `Stored` are spilled.
template <class Task, bool HotKeys, class Stored>
__global__ void __launch_bounds__(pass_threads, 2)
    partition_pass(const __grid_constant__ partition_arguments<Task, Stored> with) {
  using bits = key_bits<typename Task::key>;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using entry = key_value<bits, Stored>;
  using reader_type = record_reader<Task>;
  constexpr unsigned groups = pass_emits_per_thread<bits, Stored> / reader_type::group_emits;
  constexpr unsigned count = groups * reader_type::group_emits;
  static_assert(groups > 0);
  constexpr unsigned most_bins = (1u << most_partition_bits) / pass_threads;

  extern __shared__ uint4 dynamic_memory[];
  __shared__ unsigned warp_sums[pass_threads / 32 + 1];
  __shared__ unsigned overflows;
  __shared__ unsigned not_hot;
  const unsigned partitions = with.regions.partitions();
  auto* const stage = reinterpret_cast<entry*>(dynamic_memory);
  auto* const starts = reinterpret_cast<unsigned*>(reinterpret_cast<unsigned char*>(dynamic_memory) +
                                                   pass_threads * pass_bytes_per_thread);
  unsigned* const offsets = starts + partitions;
  const detail::block_hot_keys<bits, reduce_type> hot(offsets + partitions, with.hot.sample.hot_slots);

  for (unsigned i = threadIdx.x; i < partitions; i += pass_threads) starts[i] = 0;
  if (threadIdx.x == 0) overflows = not_hot = 0;
  if constexpr (HotKeys) hot.load(with.hot.sample, with.reduce);
  __syncthreads();

  const reader_type reader(with.task, with.format, with.part, &with.list.counts->broken_promise);
  constexpr std::uint64_t tile_groups = std::uint64_t{pass_threads} * groups;
  const std::uint64_t tiles = with.records / (tile_groups * reader_type::group_records);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  // Each thread adds up the counts of my_bins partitions.
  const unsigned my_bins = partitions > pass_threads ? partitions / pass_threads : 1;
  const unsigned my_first_bin = threadIdx.x * my_bins;

  const unsigned mine = warp * 32 * groups + lane;
  typename reader_type::bytes read[groups];
  if (blockIdx.x < tiles) reader.load(blockIdx.x * tile_groups + mine, read);
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    emits_in_registers<Task, count> emits;
    reader.map(tile * tile_groups + mine, read, emits);

    if constexpr (!std::is_same_v<Stored, value_type>) {
      unsigned wide = 0;
#pragma unroll
      for (unsigned i = 0; i < count; ++i) wide |= (fits_in<Stored>(emits.values[i]) ? 0u : 1u) << i;
      wide &= emits.valid;
      emits.valid ^= wide;
      if (__any_sync(~0u, wide != 0)) {
#pragma unroll
        for (unsigned i = 0; i < count; ++i)
          with.list.spill({emits.keys[i], emits.values[i]}, (wide >> i & 1) != 0);
      }
    }

    // Count: places[i] is the partition of emit i, and above it the emit's rank in the partition.
    unsigned places[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      places[i] = detail::not_staged;
      if ((emits.valid >> i & 1) != 0) {
        const unsigned p = with.regions.partition_of(emits.keys[i]);
        unsigned rank = 0;
        if constexpr (HotKeys) {
          rank = hot.take_or_count(emits.keys[i], emits.values[i], with.reduce, starts + p);
        } else {
          rank = atomicAdd(starts + p, 1u);
        }
        if (rank != detail::not_staged) places[i] = p | rank << most_partition_bits;
      }
    }
    __syncthreads();

    // Scan: the first entry of each partition in the tile, and its room in the regions.
    unsigned sum = 0;
    for (unsigned b = 0; b < my_bins; ++b)
      sum += my_first_bin + b < partitions ? starts[my_first_bin + b] : 0;
    unsigned inclusive = sum;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned before = __shfl_up_sync(~0u, inclusive, d);
      if (lane >= d) inclusive += before;
    }
    if (lane == 31) warp_sums[warp] = inclusive;
    __syncthreads();
    unsigned start = inclusive - sum;
    unsigned staged = 0;
#pragma unroll
    for (unsigned w = 0; w < pass_threads / 32; ++w) {
      if (w == warp) start += staged;
      staged += warp_sums[w];
    }
    unsigned room[most_bins];
#pragma unroll
    for (unsigned b = 0; b < most_bins; ++b) {
      const unsigned p = my_first_bin + b;
      if (b >= my_bins || p >= partitions) break;
      const unsigned here = starts[p];
      starts[p] = start;
      start += here;
      room[b] = here > 0 ? atomicAdd(with.regions.sent + p, here) : 0;
    }
    __syncthreads();

    // Sort the entries in shared memory, while the atomic operations for the room are under way.
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (places[i] == detail::not_staged) continue;
      stage[starts[places[i] % (1u << most_partition_bits)] + (places[i] >> most_partition_bits)] = {
          emits.keys[i], static_cast<Stored>(emits.values[i])};
    }
#pragma unroll
    for (unsigned b = 0; b < most_bins; ++b) {
      const unsigned p = my_first_bin + b;
      if (b >= my_bins || p >= partitions) break;
      const unsigned here = (p + 1 < partitions ? starts[p + 1] : staged) - starts[p];
      // offsets[p] plus an entry's place in the tile is its place in the regions. All regions together have
      // fewer than 2^32 entries.
      offsets[p] = p * with.regions.region_entries + room[b] - starts[p];
      if (room[b] + here > with.regions.region_entries) overflows = 1;
    }
    __syncthreads();

    // Write the sorted entries to the regions.
    if (tile + gridDim.x < tiles) reader.load((tile + gridDim.x) * tile_groups + mine, read);
    for (unsigned i = threadIdx.x; i < partitions; i += pass_threads) starts[i] = 0;
    if (overflows == 0) {
#pragma unroll 4
      for (unsigned i = threadIdx.x; i < staged; i += pass_threads) {
        const entry one = stage[i];
        with.regions.put(offsets[with.regions.partition_of(one.key)] + i, one);
      }
    } else {
      for (unsigned i = threadIdx.x; i - lane < staged; i += pass_threads) {
        const entry one = stage[i < staged ? i : 0];
        const unsigned p = with.regions.partition_of(one.key);
        const unsigned at = offsets[p] + i;
        const bool fits = at - p * with.regions.region_entries < with.regions.region_entries;
        if (i < staged && fits) with.regions.put(at, one);
        with.list.spill({one.key, static_cast<value_type>(one.value)}, i < staged && !fits);
      }
    }
    __syncthreads();
  }

  // All blocks share the records that do not fill a tile.
  for (std::uint64_t i =
           tiles * tile_groups * reader_type::group_records + blockIdx.x * pass_threads + threadIdx.x;
       i - lane < with.records; i += std::uint64_t{gridDim.x} * pass_threads) {
    register_emitter<Task> emit;
    if (i < with.records) reader.map_one(i, emit);
#pragma unroll
    for (unsigned e = 0; e < register_emitter<Task>::most; ++e) {
      const key_value<bits, value_type> one{emit.keys[e], emit.values[e]};
      bool has_one = e < emit.count;
      // A frequent key goes to the hot table only, so that the list has each key once.
      if constexpr (HotKeys)
        has_one =
            has_one && hot.take_or_count(one.key, one.value, with.reduce, &not_hot) != detail::not_staged;
      if (has_one && fits_in<Stored>(one.value)) {
        const unsigned p = with.regions.partition_of(one.key);
        const unsigned at = atomicAdd(with.regions.sent + p, 1u);
        has_one = at >= with.regions.region_entries;
        if (!has_one)
          with.regions.put(p * with.regions.region_entries + at, {one.key, static_cast<Stored>(one.value)});
      }
      with.list.spill(one, has_one);
    }
  }
  __syncthreads();
  if constexpr (HotKeys) hot.store(with.hot, with.reduce);
}

}  // namespace duomap::gpu
