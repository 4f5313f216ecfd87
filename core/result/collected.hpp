// The result of a collect task.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/key.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// Collected rows: in input order, or grouped by key (ascending) with each key's values in input order.
template <class Task>
class collected_result {
 public:
  using key_type = result_key<typename Task::key>;
  using value_type = typename Task::reduce::value_type;

  collected_result(const Task& task, collected_partial<value_type> ordered, worker_pool& pool)
    : collected_(std::move(ordered)) {
    for (const auto& run : collected_.runs) size_ += run.entries.size();
    if (reduction_of(task).grouped) group(pool);
  }

  /// Number of rows.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Calls use(key, value) for every row, in order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const auto& run : collected_.runs) {
      for (const auto& entry : run.entries) {
        if constexpr (std::is_same_v<value_type, byte_view>) {
          use(key_from<key_type>(entry.key), entry.value.bytes());
        } else {
          use(key_from<key_type>(entry.key), entry.value);
        }
      }
    }
  }

  /// The rows in order, as they are stored: those of a chunk together, or all together when they are grouped.
  /// For a caller that goes through them with several threads.
  [[nodiscard]] const std::vector<emit_run<value_type>>& runs() const noexcept { return collected_.runs; }

 private:
  /// Makes all runs one that is sorted by key.
  void group(worker_pool& pool) {
    emit_list<value_type> all;
    all.reserve(size_);
    for (auto& run : collected_.runs) {
      all.insert(all.end(), run.entries.begin(), run.entries.end());
      run.entries = {};
    }
    // Sorting positions makes any sort a stable one.
    std::vector<std::uint64_t> places(all.size());
    for (std::uint64_t i = 0; i < places.size(); ++i) places[i] = i;
    parallel_sort(
        places,
        [&](std::uint64_t a, std::uint64_t b) {
          const auto key = key_from<key_type>(all[a].key);
          const auto other = key_from<key_type>(all[b].key);
          return key_less(key, other) || (a < b && !key_less(other, key));
        },
        pool);
    emit_list<value_type> grouped;
    grouped.reserve(places.size());
    for (const std::uint64_t place : places) grouped.push_back(all[place]);
    collected_.runs.clear();
    collected_.runs.push_back({0, 0, std::move(grouped)});
  }

  collected_partial<value_type> collected_;
  std::uint64_t size_ = 0;
};

}  // namespace duomap
