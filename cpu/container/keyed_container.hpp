// A worker's container for a task with hashed keys and a commutative reduction.
#pragma once

#include "core/combining_table.hpp"
#include "core/hash.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/task.hpp"
#include "cpu/container/keyed_emitter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace duomap::cpu {

/// Merges one partition of several workers' tables. A value whose key is in the first table is folded there.
/// Tables are ordered by hash, so the merge reads the slots of the first table in order. Merging into one new
/// table for all keys takes 1.6 times as long.
template <class V, class Reduce>
[[nodiscard]] std::vector<keyed_entry<V>> merge_partition(unsigned partition,
                                                          const std::vector<combining_table<V>*>& tables,
                                                          const Reduce& reduce) {
  combining_table<V>& first = *tables.front();
  // The size of an average partition of the largest table, in keys.
  std::uint64_t most = 0;
  for (const combining_table<V>* one : tables) most = std::max(most, one->size() / partition_count);
  std::optional<combining_table<V, partition_bits>> others;
  for (std::size_t i = 1; i < tables.size(); ++i) {
    tables[i]->for_each_in_partition(partition, [&](const auto& entry) {
      if (first.reduce_known(entry.key, entry.value, reduce)) return;
      if (!others) others.emplace(most, first.memory());
      others->reduce_stored(entry.key, entry.value, reduce);
    });
  }
  std::vector<keyed_entry<V>> merged;
  merged.reserve(first.size() / partition_count + (others ? others->size() : 0));
  const auto keep = [&](const auto& entry) {
    merged.push_back(entry);
  };
  first.for_each_in_partition(partition, keep);
  if (others) others->for_each(keep);
  return merged;
}

/// One worker's table of reduced values. No other thread touches the table while chunks are mapped.
template <class Task>
class keyed_container {
 public:
  using partial = keyed_partial<typename Task::reduce::value_type>;

  explicit keyed_container(const Task& task, const shared_budget& memory = nullptr)
    : emitter_(reduction_of(task), memory) {}

  template <class Body>
  void fill(const chunk& part, Body&& body) {
    emitter_.begin_chunk(part);
    body(emitter_);
    emitter_.end_chunk();
  }

  /// Merges all workers' tables, with the partitions in parallel. The partial takes over the tables' arenas.
  static partial combine(std::vector<std::unique_ptr<keyed_container>> containers, const Task& task,
                         worker_pool& pool) {
    using value_type = typename Task::reduce::value_type;
    std::vector<combining_table<value_type>*> tables;
    for (const auto& container : containers) tables.push_back(&container->emitter_.table());
    const auto reduce = reduction_of(task);
    partial merged = merge_partitions<value_type>(
        pool, [&](unsigned partition) { return merge_partition(partition, tables, reduce); },
        tables.front()->memory());
    for (const auto& container : containers) {
      merged.arenas.push_back(std::make_shared<const key_arena>(std::move(container->emitter_.arena())));
    }
    return merged;
  }

 private:
  keyed_emitter<typename Task::key, typename Task::reduce> emitter_;
};

}  // namespace duomap::cpu
