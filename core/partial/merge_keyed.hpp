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
#include <optional>
#include <utility>
#include <vector>

namespace duomap {

/// A partial of what merge(worker, partition) gives, partitions in parallel. The caller adds the arenas.
template <class V, class Merge>
[[nodiscard]] keyed_partial<V> merge_partitions(worker_pool& pool, const Merge& merge) {
  keyed_partial<V> merged;
  pool.share_indices(partition_count, [&](unsigned worker, std::uint64_t partition) {
    merged.partitions[partition] = merge(worker, static_cast<unsigned>(partition));
  });
  return merged;
}

/// Merges parts (anything with size() and for_each_in_partition: partials, sorted runs) into one partial. The
/// caller adds the arenas.
template <class V, class Part, class Reduce>
[[nodiscard]] keyed_partial<V> merge_keyed(const std::vector<const Part*>& parts, const Reduce& reduce,
                                           worker_pool& pool) {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (const Part* part : parts) {
    all += part->size();
    most = std::max(most, part->size());
  }
  // A worker keeps its table from partition to partition: fresh memory takes longer than what is done in it.
  std::vector<std::optional<combining_table<V, partition_bits>>> tables(pool.workers());
  return merge_partitions<V>(pool, [&](unsigned worker, unsigned partition) {
    std::vector<keyed_entry<V>> merged;
    if (parts.size() == 1) {
      merged.reserve(most / partition_count);
      parts[0]->for_each_in_partition(partition, [&](const auto& entry) { merged.push_back(entry); });
      return merged;
    }
    auto& table = tables[worker];
    if (!table) table.emplace(most / partition_count);
    for (const Part* part : parts) {
      part->for_each_in_partition(
          partition, [&](const auto& entry) { table->reduce_stored(entry.key, entry.value, reduce); });
    }
    merged.reserve(table->size());
    table->for_each([&](const auto& entry) { merged.push_back(entry); });
    // One that has grown for a partition like no other would take long to clear.
    table->size() <= 2 * (all / partition_count + 1) ? table->clear() : table.reset();
    return merged;
  });
}

/// Merges partials of several backends.
template <class Task, class V>
[[nodiscard]] keyed_partial<V> merge_partials(std::vector<keyed_partial<V>> partials, const Task& task,
                                              worker_pool& pool) {
  if (partials.size() == 1) return std::move(partials.front());
  std::vector<const keyed_partial<V>*> parts;
  for (const auto& partial : partials) parts.push_back(&partial);
  keyed_partial<V> merged = merge_keyed<V>(parts, reduction_of(task), pool);
  for (auto& partial : partials)
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  return merged;
}

}  // namespace duomap
