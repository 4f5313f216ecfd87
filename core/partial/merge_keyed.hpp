// Partials of hashed keys become one, partition by partition.
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/hash.hpp"
#include "core/partial/keyed.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// Merges one partition of several parts (anything with for_each_in_partition and size: worker tables,
/// partials).
template <class V, class Part, class Reduce>
[[nodiscard]] std::vector<keyed_entry<V>> merge_partition(unsigned partition,
                                                          const std::vector<const Part*>& parts,
                                                          const Reduce& reduce) {
  std::vector<keyed_entry<V>> merged;
  if (parts.size() == 1) {
    merged.reserve(parts[0]->size() / partition_count);
    parts[0]->for_each_in_partition(partition, [&](const auto& entry) { merged.push_back(entry); });
    return merged;
  }
  // As many as the largest part has in a partition on average; counting them first would read all twice.
  std::uint64_t most = 0;
  for (const Part* part : parts) most = std::max(most, part->size() / partition_count);
  combining_table<V, partition_bits> table(most);
  for (const Part* part : parts) {
    part->for_each_in_partition(
        partition, [&](const auto& entry) { table.reduce_stored(entry.key, entry.value, reduce); });
  }
  merged.reserve(table.size());
  table.for_each([&](const auto& entry) { merged.push_back(entry); });
  return merged;
}

/// Merges parts into one partial, partitions in parallel. The caller adds the arenas.
template <class V, class Part, class Reduce>
[[nodiscard]] keyed_partial<V> merge_keyed(const std::vector<const Part*>& parts, const Reduce& reduce,
                                           worker_pool& pool) {
  keyed_partial<V> merged;
  // A group of partitions per index: an index should stand for microseconds of work even when there are few
  // keys.
  constexpr unsigned group = 16;
  pool.for_each_index(partition_count / group, [&](std::uint64_t index) {
    for (unsigned p = 0; p < group; ++p) {
      const auto partition = static_cast<unsigned>(index) * group + p;
      merged.partitions[partition] = merge_partition<V>(partition, parts, reduce);
    }
  });
  return merged;
}

/// Merges partials of several backends.
template <class Task, class V>
[[nodiscard]] keyed_partial<V> merge_partials(std::vector<keyed_partial<V>> partials, const Task& task,
                                              worker_pool& pool) {
  if (partials.size() == 1) return std::move(partials.front());
  std::vector<const keyed_partial<V>*> parts;
  for (const auto& partial : partials) parts.push_back(&partial);
  keyed_partial<V> merged = merge_keyed<V>(parts, reduction_of(task), pool);
  for (auto& partial : partials) {
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  }
  return merged;
}

}  // namespace duomap
