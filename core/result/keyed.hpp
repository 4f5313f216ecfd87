// The result of hashed keys under a reduction.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/keyed.hpp"
#include "core/result/row.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// Rows under hashed keys, one row for each distinct key.
template <class Task>
class keyed_result {
 public:
  using key_type = result_key<typename Task::key>;
  using value_type = decltype(finished(std::declval<Task>(), std::declval<key_type>(),
                                       std::declval<typename Task::reduce::value_type>()));
  using row = result_row<key_type, value_type>;
  /// Keys are views into this result: rows of a temporary one would be read after its end.
  static constexpr bool has_views = std::is_same_v<key_type, byte_view>;

  keyed_result(const Task& task, keyed_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// Number of distinct keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// Removes the row of a key and returns its value, if there is one: what a map put aside under a key that
  /// is no part of the answer. Looks through one partition.
  [[nodiscard]] std::optional<value_type> take(const key_type& key) {
    const byte_view wanted = key_bytes(key);
    const std::uint64_t hash =
        wanted.size > compact_key::max_inline ? hash_long(wanted) : compact_key::of_short(wanted).hash();
    auto& entries = reduced_.partitions[partition_of(hash)];
    const auto found = std::ranges::find_if(
        entries, [&](const auto& entry) { return entry.key.bytes().text() == wanted.text(); });
    if (found == entries.end()) return std::nullopt;
    const value_type value = finished(task_, key, found->value);
    *found = entries.back();
    entries.pop_back();
    return value;
  }

  /// Its entries as the merge left them, values before finish(): for tasks that go on from here.
  [[nodiscard]] const keyed_partial<typename Task::reduce::value_type>& reduced() const noexcept {
    return reduced_;
  }

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

  void rows() const&& requires(has_views) = delete;
  template <class Less>
  void sorted(const Less& less, worker_pool& pool) const&& requires(has_views) = delete;
  template <class Less>
  void sorted(const Less& less) const&& requires(has_views) = delete;
  template <class Less>
  void top(std::uint64_t count, const Less& less) const&& requires(has_views) = delete;

  /// All rows, in no particular order.
  [[nodiscard]] std::vector<row> rows() const& {
    std::vector<row> all;
    all.reserve(size());
    for_each([&](const key_type& key, const value_type& value) { all.push_back({key, value}); });
    return all;
  }

  /// All rows in the given order (by_key, by_value, or a strict weak order of rows of one's own).
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less, worker_pool& pool) const& {
    std::vector<row> all = rows();
    parallel_sort(all, less, pool);
    return all;
  }
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less) const& {
    sequential caller;
    return sorted(less, caller);
  }

  /// The first `count` rows in the given order, without sorting the rest.
  template <class Less>
  [[nodiscard]] std::vector<row> top(std::uint64_t count, const Less& less) const& {
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

}  // namespace duomap
