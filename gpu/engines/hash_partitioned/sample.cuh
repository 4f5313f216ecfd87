// Takes a random sample of the emits, to estimate the number of keys and find frequent keys.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/hash_partitioned/plan.hpp"
#include "gpu/engines/hash_partitioned/record_reader.cuh"
#include "gpu/engines/hash_partitioned/slot_finder.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The sampled keys with their counts, and the slots of the hot table. The upper half of a slot is a key's
/// count, the lower half its place among the sampled keys, plus one.
template <class Bits>
struct sample_table {
  slot_finder<Bits> finder;
  unsigned int* counts = nullptr;
  unsigned long long* hot = nullptr;
  unsigned hot_slots = 0;
  sample_counts* seen = nullptr;
};

/// The two slots of the hot table in which a key may stand, one in each half.
template <class Bits>
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t first_hot_slot(Bits key, unsigned hot_slots) {
  return scale(spread(key), hot_slots / 2);
}
template <class Bits>
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t second_hot_slot(Bits key, unsigned hot_slots) {
  const std::uint32_t h = spread(key);
  return hot_slots / 2 + scale((h ^ h >> 13) * 0xC2B2AE35u, hot_slots / 2);
}

namespace detail {

inline constexpr unsigned sample_threads = 256;

template <class Bits>
__global__ void clear_sample(const sample_table<Bits> sample) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sample.finder.slots) {
    sample.finder.keys[i] = sample.finder.marks.at(i);
    sample.counts[i] = 0;
  }
  if (i < sample.hot_slots) sample.hot[i] = 0;
  if (i == 0) *sample.seen = {};
}

/// Counts the emits of records that are drawn with replacement. The draws do not depend on the order of the
/// records, so sorted input gives a fair sample too.
template <class Task>
__global__ void __launch_bounds__(sample_threads)
    take_sample(const Task task, const typename Task::format format, const chunk part,
                const std::uint64_t records, const sample_table<key_bits<typename Task::key>> sample,
                unsigned* broken_promise) {
  const record_reader<Task> reader(task, format, part, broken_promise);
  const std::uint64_t draw = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t random = (draw + 1) * 0x9E3779B97F4A7C15u;
  random = (random ^ random >> 30) * 0xBF58476D1CE4E5B9u;
  random = (random ^ random >> 27) * 0x94D049BB133111EBu;
  random ^= random >> 31;
  register_emitter<Task> emit;
  reader.map_one(__umul64hi(random, records), emit);
#pragma unroll
  for (unsigned e = 0; e < register_emitter<Task>::most; ++e) {
    // Lanes with the same key add up their emits before they count them, because many lanes would wait for
    // one counter.
    const bool has_one = e < emit.count;
    using value_type = typename Task::reduce::value_type;
    if (has_one && !fits_in<typename narrow<value_type>::type>(emit.values[e]))
      atomicAdd(&sample.seen->wide, 1u);
    const unsigned same = __match_any_sync(~0u, emit.keys[e]) & __ballot_sync(~0u, has_one);
    if (has_one && threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(same))) - 1) {
      const std::uint32_t slot = sample.finder.find(emit.keys[e]);
      if (slot != slot_finder<key_bits<typename Task::key>>::none)
        atomicAdd(sample.counts + slot, static_cast<unsigned>(__popc(same)));
    }
    __syncwarp();
  }
}

/// Adds up the counts, and gives frequent keys their first slot of the hot table. If two keys want one slot,
/// the more frequent key gets it.
template <class Bits>
__global__ void __launch_bounds__(sample_threads) weigh_sample(const sample_table<Bits> sample) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned count = i < sample.finder.slots ? sample.counts[i] : 0;
  if (count >= 2) {
    atomicMax(sample.hot + first_hot_slot(sample.finder.keys[i], sample.hot_slots),
              static_cast<unsigned long long>(count) << 32 | (i + 1));
  }
  __shared__ sample_counts all;
  if (threadIdx.x == 0) all = {};
  __syncthreads();
  if (count > 0) {
    atomicAdd(&all.emits, count);
    atomicAdd(&all.distinct, 1u);
    if (count == 1) atomicAdd(&all.once, 1u);
    if (count == 2) atomicAdd(&all.twice, 1u);
    atomicMax(&all.most, count);
  }
  __syncthreads();
  if (threadIdx.x == 0 && all.distinct > 0) {
    atomicAdd(&sample.seen->emits, all.emits);
    atomicAdd(&sample.seen->distinct, all.distinct);
    atomicAdd(&sample.seen->once, all.once);
    atomicAdd(&sample.seen->twice, all.twice);
    atomicMax(&sample.seen->most, all.most);
  }
}

/// Tries the second slot for keys that did not get their first slot.
template <class Bits>
__global__ void __launch_bounds__(sample_threads) place_losers(const sample_table<Bits> sample) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sample.finder.slots || sample.counts[i] < 2) return;
  const Bits key = sample.finder.keys[i];
  const unsigned long long mine = static_cast<unsigned long long>(sample.counts[i]) << 32 | (i + 1);
  if (sample.hot[first_hot_slot(key, sample.hot_slots)] != mine)
    atomicMax(sample.hot + second_hot_slot(key, sample.hot_slots), mine);
}

}  // namespace detail

}  // namespace duomap::gpu
