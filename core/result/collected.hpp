// The result of a collect task.
// host only
#pragma once

#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/parallel.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <memory>
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

  collected_result(const Task& task, collected_partial<value_type> ordered, parallel& pool)
    : arenas_(ordered.arenas) {
    for (const auto& run : ordered.runs)
      entries_.insert(entries_.end(), run.entries.begin(), run.entries.end());
    if (!reduction_of(task).grouped) return;
    // Sorting positions makes any sort a stable one.
    std::vector<std::uint64_t> places(entries_.size());
    for (std::uint64_t i = 0; i < places.size(); ++i) places[i] = i;
    parallel_sort(
        places,
        [&](std::uint64_t a, std::uint64_t b) {
          const auto key = key_from<key_type>(entries_[a].key);
          const auto other = key_from<key_type>(entries_[b].key);
          return key_less(key, other) || (a < b && !key_less(other, key));
        },
        pool);
    std::vector<keyed_entry<stored_value<value_type>>> grouped;
    grouped.reserve(places.size());
    for (const std::uint64_t place : places) grouped.push_back(entries_[place]);
    entries_ = std::move(grouped);
  }

  /// Number of rows.
  [[nodiscard]] std::uint64_t size() const noexcept { return entries_.size(); }

  /// Calls use(key, value) for every row, in order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const auto& entry : entries_) {
      if constexpr (std::is_same_v<value_type, byte_view>) {
        use(key_from<key_type>(entry.key), entry.value.bytes());
      } else {
        use(key_from<key_type>(entry.key), entry.value);
      }
    }
  }

 private:
  std::vector<keyed_entry<stored_value<value_type>>> entries_;
  std::vector<std::shared_ptr<const key_arena>> arenas_;
};

}  // namespace duomap
