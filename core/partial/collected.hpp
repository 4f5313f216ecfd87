// The partial of tasks for which the order of the input matters: emits in runs, one run for each chunk.
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/untouched_allocator.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// How a value is kept: bytes of any length like a key, everything else as it is.
template <class V>
using stored_value = std::conditional_t<std::is_same_v<V, byte_view>, compact_key, V>;

/// Emits in order, in memory that several threads can fill.
template <class V>
using emit_list =
    std::vector<keyed_entry<stored_value<V>>, untouched_allocator<keyed_entry<stored_value<V>>>>;

/// The emits of one chunk in order.
template <class V>
struct emit_run {
  std::uint32_t source;
  std::uint64_t offset;
  emit_list<V> entries;
};

/// Runs in any order; each knows its place in the input. For collect every emit is an entry, for a reduction
/// that does not commute the emits of equal keys within a chunk are reduced already.
template <class V>
struct collected_partial {
  std::vector<emit_run<V>> runs;
  std::vector<std::shared_ptr<const key_arena>> arenas;
};

/// Brings the runs of several workers or backends together, in input order.
template <class Task, class V>
[[nodiscard]] collected_partial<V> merge_partials(std::vector<collected_partial<V>> partials,
                                                  const Task& /*task*/, worker_pool& /*pool*/) {
  collected_partial<V> merged;
  for (auto& partial : partials) {
    std::move(partial.runs.begin(), partial.runs.end(), std::back_inserter(merged.runs));
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  }
  std::sort(merged.runs.begin(), merged.runs.end(), [](const emit_run<V>& a, const emit_run<V>& b) {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  });
  return merged;
}

/// Folds runs that merge_partials() has ordered into a keyed partial, the values of each key from first to
/// last. Groups of partitions in parallel; each group reads all runs, which costs less than sorting them by
/// partition would for up to some 16 groups.
template <class V, class Reduce>
[[nodiscard]] keyed_partial<V> fold_in_order(const collected_partial<V>& ordered, const Reduce& reduce,
                                             worker_pool& pool) {
  keyed_partial<V> folded;
  folded.arenas = ordered.arenas;
  const unsigned groups = std::min(pool.workers(), 16u);
  pool.for_each_index(groups, [&](std::uint64_t group) {
    combining_table<V> table;
    for (const emit_run<V>& run : ordered.runs) {
      for (const auto& entry : run.entries) {
        if (partition_of(entry.key.hash()) % groups == group)
          table.reduce_stored(entry.key, entry.value, reduce);
      }
    }
    table.for_each(
        [&](const auto& entry) { folded.partitions[partition_of(entry.key.hash())].push_back(entry); });
  });
  return folded;
}

}  // namespace duomap
