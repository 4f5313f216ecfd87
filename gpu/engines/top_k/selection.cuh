// Keeps the best k candidates of each key in device memory: sorts all candidates in parallel, and drops all
// but the first k of each key (Chen & Agrawal, HPDC 2012, section 3.5).
#pragma once

#include "gpu/engines/top_k/candidate.hpp"
#include "gpu/engines/top_k/sort_together.cuh"
#include "gpu/engines/top_k/tuning.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

namespace detail {

inline constexpr unsigned selection_threads = 256;

template <class V>
inline constexpr unsigned sorted_by_block = choose_sorted_by_block(sizeof(candidate<V>));

/// A block's share of the candidates, in shared memory. All threads must call the constructor and store(),
/// which contain barriers.
template <class V>
struct shared_share {
  candidate<V>* const all;
  candidate<V>* const mine;
  unsigned count;

  __device__ shared_share(candidate<V>* from, std::uint64_t total, uint4* memory)
    : all(from + std::uint64_t{blockIdx.x} * sorted_by_block<V>),
      mine(reinterpret_cast<candidate<V>*>(memory)) {
    const std::uint64_t left = total - std::uint64_t{blockIdx.x} * sorted_by_block<V>;
    count = left < sorted_by_block<V> ? static_cast<unsigned>(left) : sorted_by_block<V>;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) mine[i] = all[i];
    __syncthreads();
  }
  __device__ void store() const {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) all[i] = mine[i];
  }
};

template <class V, class Better>
__global__ void __launch_bounds__(selection_threads)
    sort_shares(candidate<V>* items, std::uint64_t count, const candidate_order<Better> order) {
  extern __shared__ uint4 share_memory[];
  const shared_share<V> share(items, count, share_memory);
  sort_together<whole_block>(share.mine, share.count, order);
  share.store();
}

template <class V, class Better>
__global__ void __launch_bounds__(selection_threads)
    merge_in_shares(candidate<V>* items, std::uint64_t count, const candidate_order<Better> order) {
  extern __shared__ uint4 share_memory[];
  const shared_share<V> share(items, count, share_memory);
  merge_together<whole_block>(share.mine, share.count, sorted_by_block<V> / 2, order);
  share.store();
}

/// One step between shares. `distance` 0 means the mirrored step that begins a merge to `size`.
template <class V, class Better>
__global__ void __launch_bounds__(selection_threads)
    merge_across_shares(candidate<V>* items, std::uint64_t count, std::uint64_t size, std::uint64_t distance,
                        const candidate_order<Better> order) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  put_in_order(items, count, distance == 0 ? mirrored_pair(i, size) : distant_pair(i, distance), order);
}

/// Copies the best candidates of each key in any order, and sets the key's bound.
template <class V>
__global__ void __launch_bounds__(selection_threads)
    keep_best(const candidate<V>* sorted, std::uint64_t count, std::uint64_t k, candidate<V>* kept,
              unsigned long long* kept_count, top_bound<V>* bounds) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool keeps = i < count && is_among_best(sorted, i, k);
  if (keeps && is_last_of_best(sorted, i, k)) bounds[sorted[i].key] = {sorted[i].value, true};
  const unsigned keepers = __ballot_sync(all_lanes, keeps);
  unsigned long long place = 0;
  if (lane_index() == 0 && keepers != 0)
    place = atomicAdd(kept_count, static_cast<unsigned long long>(__popc(keepers)));
  place = __shfl_sync(all_lanes, place, 0) + static_cast<unsigned>(__popc(keepers & lanes_before()));
  if (keeps) kept[place] = sorted[i];
}

}  // namespace detail

/// Queues the selection: sorts `count` > 0 candidates at `from` in place, and copies the best k > 0 of each
/// key to `to`. *kept_count must be 0, and becomes their number. Sets the bound of each key that has k
/// candidates.
template <class V, class Better>
void select_best(candidate<V>* from, std::uint64_t count, candidate<V>* to, unsigned long long* kept_count,
                 top_bound<V>* bounds, std::uint64_t k, const Better& better, const stream& on) {
  constexpr std::uint64_t share = detail::sorted_by_block<V>;
  const candidate_order<Better> order{better};
  const auto blocks_of = [](std::uint64_t items, std::uint64_t in_block) {
    return static_cast<unsigned>((items + in_block - 1) / in_block);
  };
  const launch_shape in_shares{blocks_of(count, share), detail::selection_threads,
                               share * sizeof(candidate<V>), on.get()};
  launch(detail::sort_shares<V, Better>, in_shares, from, count, order);
  for (std::uint64_t size = 2 * share; size / 2 < count; size *= 2) {
    const launch_shape merged{blocks_of(pairs_of(count, size), detail::selection_threads),
                              detail::selection_threads, 0, on.get()};
    launch(detail::merge_across_shares<V, Better>, merged, from, count, size, std::uint64_t{0}, order);
    for (std::uint64_t distance = size / 4; distance >= share; distance /= 2)
      launch(detail::merge_across_shares<V, Better>, merged, from, count, size, distance, order);
    launch(detail::merge_in_shares<V, Better>, in_shares, from, count, order);
  }
  launch(detail::keep_best<V>,
         {blocks_of(count, detail::selection_threads), detail::selection_threads, 0, on.get()}, from, count,
         k, to, kept_count, bounds);
}

}  // namespace duomap::gpu
