// The partial of hashed keys under a commutative reduction: partitions of (key, reduced value).
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap {

/// Distinct keys with their values, each in the partition its hash names (core/hash.hpp), so that partition p
/// of any number of partials can be merged without looking at any other. Keys of one partial are distinct.
template <class V>
struct keyed_partial {
  std::array<std::vector<keyed_entry<V>>, partition_count> partitions;
  /// Owners of the long keys' bytes; shared, because keys are never copied on the way to the result.
  std::vector<std::shared_ptr<const key_arena>> arenas;

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t keys = 0;
    for (const auto& entries : partitions) keys += entries.size();
    return keys;
  }
};

/// Merges one partition of several partials.
template <class V, class Reduce>
[[nodiscard]] std::vector<keyed_entry<V>> merge_partition(unsigned partition,
                                                          const std::vector<keyed_partial<V>>& partials,
                                                          const Reduce& reduce) {
  // As many as the largest one has in a partition on average; counting them first would read all twice.
  std::uint64_t most = 0;
  for (const auto& one : partials) most = std::max(most, one.size() / partition_count);
  combining_table<V, partition_bits> table(most);
  for (const auto& one : partials) {
    for (const auto& entry : one.partitions[partition]) table.reduce_stored(entry.key, entry.value, reduce);
  }
  std::vector<keyed_entry<V>> merged;
  merged.reserve(table.size());
  table.for_each([&](const auto& entry) { merged.push_back(entry); });
  return merged;
}

/// A partial of what merge(partition) gives, partitions in parallel. The caller adds the arenas.
template <class V, class Merge>
[[nodiscard]] keyed_partial<V> merge_partitions(worker_pool& pool, const Merge& merge) {
  keyed_partial<V> merged;
  // A group per index, which then stands for microseconds of work even when there are few keys.
  constexpr unsigned group = 16;
  pool.for_each_index(partition_count / group, [&](std::uint64_t index) {
    for (auto p = static_cast<unsigned>(index) * group, end = p + group; p < end; ++p)
      merged.partitions[p] = merge(p);
  });
  return merged;
}

/// Merges partials of several backends.
template <class Task, class V>
[[nodiscard]] keyed_partial<V> merge_partials(std::vector<keyed_partial<V>> partials, const Task& task,
                                              worker_pool& pool) {
  if (partials.size() == 1) return std::move(partials.front());
  const auto reduce = reduction_of(task);
  keyed_partial<V> merged =
      merge_partitions<V>(pool, [&](unsigned p) { return merge_partition(p, partials, reduce); });
  for (auto& partial : partials)
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  return merged;
}

}  // namespace duomap
