// What the sort engine brings to the host: runs of emits or of reduced keys, and the partials they make.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/partial/collected.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/untouched_allocator.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/host_partial.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The entries of one run, whose keys are distinct, in the partitions their hashes name. Without a mask on
/// the hash a run comes sorted by partition.
template <class V>
[[nodiscard]] keyed_partial<V> in_partitions(
    std::vector<keyed_entry<V>, untouched_allocator<keyed_entry<V>>> entries, worker_pool& pool) {
  const auto before = [](const keyed_entry<V>& a, const keyed_entry<V>& b) {
    return partition_of(a.key.hash()) < partition_of(b.key.hash());
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before))
    std::sort(entries.begin(), entries.end(), before);
  keyed_partial<V> partial;
  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    const auto begin = [&](std::uint64_t first) {
      return std::partition_point(entries.begin(), entries.end(), [&](const keyed_entry<V>& entry) {
        return partition_of(entry.key.hash()) < first;
      });
    };
    partial.partitions[partition].assign(begin(partition), begin(partition + 1));
  });
  return partial;
}

/// The runs of one commit.
template <map_reduce_task Task>
class run_part final : public host_partial<Task> {
 public:
  using runs = collected_partial<typename Task::reduce::value_type>;
  run_part(const Task& task, runs all) : task_(task), runs_(std::move(all)) {}

  [[nodiscard]] partial_for<Task> release_partial(worker_pool& pool) override {
    if constexpr (std::same_as<partial_for<Task>, runs>) {
      return std::move(runs_);
    } else if constexpr (hashed_key<typename Task::key>) {
      std::vector<partial_for<Task>> parts;
      for (auto& run : runs_.runs) parts.push_back(in_partitions(std::move(run.entries), pool));
      if (parts.empty()) return {};
      auto merged = merge_partials(std::move(parts), task_, pool);
      merged.arenas = std::move(runs_.arenas);
      return merged;
    } else {
      partial_for<Task> partial(dense_key_count(task_));
      for (const auto& run : runs_.runs) {
        for (const auto& entry : run.entries) {
          partial.reduce(key_from<std::uint64_t>(entry.key), entry.value, reduction_of(task_));
        }
      }
      return partial;
    }
  }

 private:
  Task task_;
  runs runs_;
};

}  // namespace duomap::gpu
