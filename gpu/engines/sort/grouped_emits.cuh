// Sorts emits, cuts them into one segment for each key, and reduces the segments: the second half of the sort
// engine's work.
#pragma once

#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/sort/emit_write.cuh"
#include "gpu/engines/sort/ordered_reduce.cuh"
#include "gpu/engines/sort/piece_memory.cuh"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/engines/sort/segments.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Emits grouped by key. The values of a key stand side by side, in the order in which they were emitted.
template <sort_task Task>
struct grouped_emits {
  sorted_emits sorted;  ///< empty for tasks without a key
  segmented_values<typename Task::reduce> values;
  std::uint32_t segments = 1;
};

/// Sorts `count` emits by the low `bits` bits of pairs.keys[0], and groups them. pairs.values[0] has their
/// indices in `emits`. Waits for the stream.
template <sort_task Task>
[[nodiscard]] grouped_emits<Task> group_by_key(sort_arrays pairs, unsigned bits, sorted_emits emits,
                                               piece_arrays& memory, const stream& on) {
  using value_type = typename Task::reduce::value_type;
  sort_pairs(pairs, emits.count, bits, memory.segments.temporary, on);
  emits.sort_keys = pairs.keys[0];
  emits.order = pairs.values[0];
  emits.value_bytes = sizeof(value_type);
  auto* const values = memory.values.get<value_type>(emits.count, on);
  auto* const segment_of = memory.segment_of.get<std::uint32_t>(emits.count, on);
  const std::uint32_t segments = cut_segments(emits, segment_of, values, memory.segments, on);
  return {emits, {.values = values, .segment_of = segment_of, .count = emits.count}, segments};
}

/// Queues the reduction of each group to an entry at `to`, in the order of the sort keys.
template <sort_task Task>
void reduce_groups(grouped_emits<Task>& groups, const Task& task, emit_entry<Task>* to, piece_arrays& memory,
                   const stream& on) {
  using entry = emit_entry<Task>;
  auto& values = groups.values;
  values.entries = to;
  values.carries = memory.carries.get<typename Task::reduce::value_type>(most_carries(values.count), on);
  values.reduce = reduction_of(task);
  reduce_segments(values, on);
  write_segment_keys(groups.sorted, values.segment_of, {reinterpret_cast<char*>(to), sizeof(entry)}, on);
}

}  // namespace duomap::gpu
