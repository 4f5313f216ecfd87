// Keeps the sort engine's results on the host, runs of emits or of reduced keys, and makes partials of them.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/partial/collected.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/host_partial.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The entries of one run, whose keys are distinct.
template <class V>
class unread_run final : public unread_entries<V> {
 public:
  explicit unread_run(partitioned_run<V> run) : run_(std::move(run)) {}

  void read(unsigned partition, std::vector<keyed_entry<V>>& to) const override {
    const auto entries = run_.of(partition);
    to.insert(to.end(), entries.begin(), entries.end());
  }

 private:
  partitioned_run<V> run_;
};

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
      using value = typename Task::reduce::value_type;
      for (auto& run : partitioned_run<value>::all_of(entries_of(std::move(runs_.runs)), pool))
        partial.unread.push_back(std::make_shared<unread_run<value>>(std::move(run)));
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
