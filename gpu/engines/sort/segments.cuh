// Cuts sorted emits into segments, one for each key, and compares the bytes of keys that have equal hashes.
#pragma once

#include "core/compact_key.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The emits of a piece, for the steps that do not depend on the task.
struct sorted_emits {
  std::uint32_t count = 0;
  const std::uint32_t* sort_keys = nullptr;  ///< the sort keys, ascending
  std::uint32_t* order =
      nullptr;            ///< the emit at each place; of equal sort keys the earlier emit comes first
  strided_keys emits;     ///< the emits in map's order; each begins with its key if has_keys
  bool has_keys = false;  ///< false: an emit is only its value, and its sort key is the key
  std::uint32_t value_offset = 0;
  std::uint32_t value_bytes = 0;

  [[nodiscard]] __device__ const compact_key& key_at(std::uint64_t place) const {
    return emits.at(order[place]);
  }
};

/// The working memory of cut_segments().
struct segment_memory {
  scratch temporary;
  scratch flag;
};

/// Numbers the segments from 1, sets segment_of[i] to the segment of place i, and writes the emits' values in
/// sorted order to `values`. If different keys share a sort key, changes `emits.order` so that each key's
/// emits stand together, still in their order; any number of keys may collide. Returns the number of
/// segments. Waits for the stream.
[[nodiscard]] std::uint32_t cut_segments(const sorted_emits& emits, std::uint32_t* segment_of, void* values,
                                         segment_memory& memory, const stream& on);

/// Writes the key of each segment. If segment_of is null, all emits are one segment, whose key is the dense
/// key 0.
void write_segment_keys(const sorted_emits& emits, const std::uint32_t* segment_of, const writable_keys& keys,
                        const stream& on);

}  // namespace duomap::gpu
