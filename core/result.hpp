// What a run gives back: the reduced values of all backends together, after finish().
// host only
#pragma once

#include "core/error.hpp"
#include "core/key.hpp"
#include "core/parallel.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// The value of a result: what finish() makes of the reduced value, or the reduced value itself.
template <class Task, class Value>
[[nodiscard]] auto finished(const Task& task, const result_key<typename Task::key>& key, const Value& value) {
  if constexpr (requires { task.finish(key, value); }) {
    return task.finish(key, value);
  } else {
    return value;
  }
}

/// One row of a result. A key of variable length is a view into the result it came from.
template <class Key, class Value>
struct result_row {
  Key key;
  Value value;
};

/// Orders rows by key: bytes as unsigned characters, fixed-size keys by their own <.
inline constexpr auto by_key = [](const auto& a, const auto& b) {
  if constexpr (std::is_same_v<std::decay_t<decltype(a.key)>, byte_view>) {
    return a.key.text() < b.key.text();
  } else if constexpr (requires {
                         { a.key < b.key } -> std::convertible_to<bool>;
                       }) {
    return a.key < b.key;
  } else {
    const byte_view left = key_bytes(a.key);
    return left.text() < key_bytes(b.key).text();
  }
};

/// Orders rows by value, largest first; rows of equal value by key.
inline constexpr auto by_value = [](const auto& a, const auto& b) {
  if (b.value < a.value) return true;
  return !(a.value < b.value) && by_key(a, b);
};

/// Rows under hashed keys, one row for each distinct key.
template <class Task>
class keyed_result {
 public:
  using key_type = result_key<typename Task::key>;
  using value_type = decltype(finished(std::declval<Task>(), std::declval<key_type>(),
                                       std::declval<typename Task::reduce::value_type>()));
  using row = result_row<key_type, value_type>;

  keyed_result(const Task& task, keyed_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// Number of distinct keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// Calls use(key, value) for every row, in no particular order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const auto& entries : reduced_.partitions) {
      for (const auto& entry : entries) {
        const key_type key = key_from<key_type>(entry.key);
        use(key, finished(task_, key, entry.value));
      }
    }
  }

  /// All rows, in no particular order.
  [[nodiscard]] std::vector<row> rows() const {
    std::vector<row> all;
    all.reserve(size());
    for_each([&](const key_type& key, const value_type& value) { all.push_back({key, value}); });
    return all;
  }

  /// All rows in the given order (by_key, by_value, or a strict weak order of rows of one's own).
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less, parallel& pool) const {
    std::vector<row> all = rows();
    parallel_sort(all, less, pool);
    return all;
  }
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less) const {
    sequential caller;
    return sorted(less, caller);
  }

  /// The first `count` rows in the given order, without sorting the rest.
  template <class Less>
  [[nodiscard]] std::vector<row> top(std::uint64_t count, const Less& less) const {
    std::vector<row> all = rows();
    count = std::min<std::uint64_t>(count, all.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(all.begin(), end, all.end(), less);
    all.resize(count);
    std::sort(all.begin(), all.end(), less);
    return all;
  }

 private:
  Task task_;
  keyed_partial<typename Task::reduce::value_type> reduced_;
};

/// A value for each dense key that was emitted; for no_key, the one value.
template <class Task>
class dense_result {
 public:
  using value_type = decltype(finished(std::declval<Task>(), std::uint64_t{},
                                       std::declval<typename Task::reduce::value_type>()));

  dense_result(const Task& task, dense_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// Number of keys there could be.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// Whether anything was emitted under the key.
  [[nodiscard]] bool present(std::uint64_t key) const { return reduced_.present(key); }

  /// The value of a key. A key nobody emitted has the reduction's identity, or requires present(key) if there
  /// is none.
  [[nodiscard]] value_type operator[](std::uint64_t key) const {
    if constexpr (has_identity<typename Task::reduce>) {
      if (!present(key)) return finished(task_, key, reduction_of(task_).identity());
    }
    expects(present(key), "nothing was emitted under this key, and its reduction has no identity");
    return finished(task_, key, reduced_[key]);
  }

  /// Calls use(key, value) for every key that was emitted, ascending.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t key = 0; key < size(); ++key) {
      if (present(key)) use(key, finished(task_, key, reduced_[key]));
    }
  }

 private:
  Task task_;
  dense_partial<typename Task::reduce::value_type> reduced_;
};

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
          if (key_less<key_type>(entries_[a].key, entries_[b].key)) return true;
          return a < b && !key_less<key_type>(entries_[b].key, entries_[a].key);
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

/// The best values of each key (of key 0 when there is no key).
template <class Task>
class top_result {
 public:
  using value_type = typename Task::reduce::value_type;

  top_result(const Task& task, partial_for<Task> best)
    : reduce_(reduction_of(task)), best_(std::move(best)) {}

  /// Number of keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return best_.size(); }

  /// The best values of a key, best first; fewer than k when fewer were emitted.
  [[nodiscard]] std::vector<value_type> operator[](std::uint64_t key) const {
    return best_[key].ranked(reduce_);
  }

  /// Calls use(key, value) for every value kept, keys ascending, best values first.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t key = 0; key < size(); ++key) {
      for (const value_type& value : (*this)[key]) use(key, value);
    }
  }

 private:
  typename Task::reduce reduce_;
  partial_for<Task> best_;
};

/// The merged partial as a result.
template <map_reduce_task Task>
[[nodiscard]] auto make_result(const Task& task, partial_for<Task> merged, [[maybe_unused]] parallel& pool) {
  if constexpr (detail::is_slots<typename Task::reduce>) {
    return merged;
  } else if constexpr (detail::is_collect<typename Task::reduce>) {
    return collected_result<Task>(task, std::move(merged), pool);
  } else if constexpr (detail::is_top_k<typename Task::reduce>) {
    return top_result<Task>(task, std::move(merged));
  } else if constexpr (order_matters<Task> && hashed_key<typename Task::key>) {
    return keyed_result<Task>(task, fold_in_order(merged, reduction_of(task), pool));
  } else if constexpr (order_matters<Task>) {
    dense_partial<typename Task::reduce::value_type> folded(dense_key_count(task));
    for (const auto& run : merged.runs) {
      for (const auto& entry : run.entries) {
        const auto key = key_from<std::uint64_t>(entry.key);
        expects(key < folded.size(), "map emitted a dense key that is not below key_count()");
        folded.reduce(key, entry.value, reduction_of(task));
      }
    }
    return dense_result<Task>(task, std::move(folded));
  } else if constexpr (hashed_key<typename Task::key>) {
    return keyed_result<Task>(task, std::move(merged));
  } else {
    return dense_result<Task>(task, std::move(merged));
  }
}

/// The result of a task: keyed_result, dense_result, collected_result, top_result, or slots_partial (get<I>()
/// gives the value of slot I, or nothing).
template <map_reduce_task Task>
using result_for = decltype(make_result(std::declval<const Task&>(), std::declval<partial_for<Task>>(),
                                        std::declval<parallel&>()));

}  // namespace duomap
