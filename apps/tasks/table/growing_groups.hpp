// Merges the groups of one run after the other into the groups of all runs.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The groups of the runs so far. Its memory grows with the number of different keys, not with the number of
/// runs.
template <class Task>
class growing_groups {
 public:
  using partial = keyed_partial<typename Task::reduce::value_type>;

  growing_groups(const Task& task, worker_pool& pool) : task_(task), pool_(pool) {}

  /// Adds the groups of a run.
  /// @throws memory_exceeded
  void add(partial more) {
    waiting_size_ += more.size();
    waiting_.push_back(std::move(more));
    // A merge visits all groups. So it waits until the new groups are as many as the old ones.
    if (waiting_size_ >= merged_size_) merge();
  }

  /// The groups of all runs.
  [[nodiscard]] partial release() && {
    merge();
    return std::move(waiting_.front());
  }

 private:
  // The first of `waiting_` has the groups that are merged already.
  void merge() {
    if (waiting_.empty()) waiting_.emplace_back();
    partial merged = merge_partials(std::exchange(waiting_, {}), task_, pool_);
    drop_unused_keys(merged);
    merged_size_ = merged.size();
    waiting_size_ = 0;
    waiting_.push_back(std::move(merged));
  }

  // Each run has its own copies of long keys. After a merge only one copy of a key is in use.
  void drop_unused_keys(partial& merged) {
    constexpr std::uint64_t few_bytes = std::uint64_t{1} << 20;
    std::uint64_t bytes = 0;
    for (const auto& one : merged.arenas) bytes += one->capacity();
    if (bytes < 2 * key_bytes_ + few_bytes) return;
    const auto kept = std::make_shared<key_arena>(merged.held.of());
    for (auto& entries : merged.partitions) {
      for (auto& entry : entries) {
        if (entry.key.stored_bytes() != nullptr)
          entry.key = compact_key::of_stored(entry.key.hash(), kept->store(entry.key.bytes()));
      }
    }
    key_bytes_ = kept->capacity();
    merged.arenas.assign(1, kept);
  }

  Task task_;
  worker_pool& pool_;
  std::vector<partial> waiting_;
  std::uint64_t waiting_size_ = 0;  // groups that are not merged yet
  std::uint64_t merged_size_ = 0;
  std::uint64_t key_bytes_ = 0;  // of long keys, when unused ones were dropped last
};

}  // namespace duomap::apps
