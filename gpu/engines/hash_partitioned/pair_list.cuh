// The list in device memory to which all paths write their results.
#pragma once

#include "gpu/engines/hash_partitioned/key_value.hpp"

#include <cstdint>

namespace duomap::gpu {

/// The lengths of a list, and whether map broke its promise.
struct list_counts {
  unsigned long long reduced = 0;
  unsigned long long spilled = 0;
  unsigned int broken_promise = 0;  ///< 1 if map emitted more than max_emits_per_record
};

/// Reduced keys from the front, each key once, and spilled emits from the back. Each emit of the input is in
/// exactly one entry, so the list never needs more entries than the input has emits.
template <class Bits, class V>
struct pair_list {
  key_value<Bits, V>* entries = nullptr;
  std::uint64_t capacity = 0;
  list_counts* counts = nullptr;

  /// Takes room for `count` entries at the front, and returns the index of the first.
  [[nodiscard]] __device__ std::uint64_t extend(unsigned count) const {
    return atomicAdd(&counts->reduced, static_cast<unsigned long long>(count));
  }

  /// Adds an entry at the back for each lane that has one. Called by whole warps.
  __device__ void spill(const key_value<Bits, V>& entry, bool has_one) const {
    const unsigned votes = __ballot_sync(~0u, has_one);
    if (votes == 0) return;
    const unsigned lane = threadIdx.x % 32;
    unsigned long long first = 0;
    if (lane == 0) first = atomicAdd(&counts->spilled, static_cast<unsigned long long>(__popc(votes)));
    first = __shfl_sync(~0u, first, 0);
    if (has_one)
      entries[capacity - 1 - first - static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)))] = entry;
  }
};

}  // namespace duomap::gpu
