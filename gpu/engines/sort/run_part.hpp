// What the sort engine brings to the host: runs of emits or of reduced keys, and the partials they make.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/partial/collected.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/host_partial.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The entries of one run, whose keys are distinct, by the partitions their hashes name.
template <class V>
class run_by_partition final : public unread_entries<V> {
 public:
  /// Without a mask on the hash a run comes sorted by partition.
  explicit run_by_partition(emit_list<V> entries) : entries_(std::move(entries)) {
    if (!find_ends()) {
      std::ranges::sort(entries_, {}, partition);
      find_ends();
    }
  }

  void read(unsigned p, std::vector<keyed_entry<V>>& to) const override {
    to.insert(to.end(), p == 0 ? entries_.begin() : ends_[p - 1], ends_[p]);
  }

 private:
  static unsigned partition(const keyed_entry<V>& entry) { return partition_of(entry.key.hash()); }

  /// Whether the entries are ordered by partition. One pass: each look computes the hash of a short key.
  bool find_ends() {
    unsigned open = 0;
    for (auto at = entries_.cbegin(); at != entries_.cend(); ++at) {
      const unsigned of_this = partition(*at);
      if (of_this < open) return false;
      while (open < of_this) ends_[open++] = at;
    }
    while (open < partition_count) ends_[open++] = entries_.cend();
    return true;
  }

  emit_list<V> entries_;
  std::array<typename emit_list<V>::const_iterator, partition_count> ends_{};
};

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
      partial_for<Task> partial;
      partial.unread.resize(runs_.runs.size());
      pool.for_each_index(runs_.runs.size(), [&](std::uint64_t i) {
        partial.unread[i] = std::make_shared<run_by_partition<typename Task::reduce::value_type>>(
            std::move(runs_.runs[i].entries));
      });
      partial.arenas = std::move(runs_.arenas);
      return partial;
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
