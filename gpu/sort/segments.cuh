// Sorted emits cut into segments, one for each key: equal hashes with different keys are told apart by bytes.
#pragma once

#include "core/compact_key.hpp"
#include "gpu/runtime/stream.cuh"
#include "gpu/sort/scratch.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The emits of a piece in sorted order, as the steps see them that need no task.
struct sorted_emits {
  std::uint32_t count = 0;
  const std::uint32_t* sort_keys = nullptr;  ///< ascending
  std::uint32_t* order = nullptr;  ///< the emit at each place; of equal sort keys the earlier emit comes first
  const compact_key* keys = nullptr;  ///< of each emit; null: the sort key is the key
};

/// Numbers the segments 0, 1, ... : segment_of[i] is that of place i. Where different keys share a sort key,
/// `emits.order` is changed so that each key's emits stand together, still in their order; any number of keys
/// may collide. Returns how many segments there are; waits for the stream.
[[nodiscard]] std::uint32_t number_segments(const sorted_emits& emits, std::uint32_t* segment_of,
                                            scratch& temporary, const stream& on);

/// Writes the key of each segment to keys, keys + stride bytes, ... segment_of may be null: then all emits
/// are one segment, and its key is the dense key 0.
void write_segment_keys(const sorted_emits& emits, const std::uint32_t* segment_of, void* keys,
                        std::uint64_t stride, const stream& on);

}  // namespace duomap::gpu
