// The result of hashed keys under a reduction.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/emitter.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/keyed.hpp"
#include "core/result/key_index.hpp"
#include "core/result/row.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// The rows of a result with hashed keys, one row for each distinct key.
template <class Task>
class keyed_result {
 public:
  using key_type = result_key<typename Task::key>;
  using value_type = decltype(finished(std::declval<Task>(), std::declval<key_type>(),
                                       std::declval<typename Task::reduce::value_type>()));
  using row = result_row<key_type, value_type>;
  /// Whether keys are views into this result. Then rows of a temporary result would be read after its end.
  static constexpr bool has_views = std::is_same_v<key_type, byte_view>;

  keyed_result(const Task& task, keyed_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// Number of distinct keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// The value of a key, or nothing. The first search in each of 256 partitions sorts pointers to its rows; a
  /// later search takes 0.1 to 1 us.
  /// @throws memory_exceeded
  [[nodiscard]] std::optional<value_type> find(const key_type& key) const {
    const auto* const found = index_.find(reduced_, key_bytes(key));
    if (found == nullptr) return std::nullopt;
    return finished(task_, key, found->value);
  }

  /// Whether anything was emitted under the key.
  [[nodiscard]] bool contains(const key_type& key) const {
    return index_.find(reduced_, key_bytes(key)) != nullptr;
  }

  /// The value of a key. @throws std::out_of_range when nothing was emitted under it
  [[nodiscard]] value_type at(const key_type& key) const {
    const auto* const found = index_.find(reduced_, key_bytes(key));
    if (found == nullptr)
      throw std::out_of_range("the result has no row under this key; ask contains() first");
    return finished(task_, key, found->value);
  }

  /// Removes the row of a key and returns its value; nothing if there is no such row. It is for a value that
  /// map emitted under a special key, which is no part of the answer. Searches one partition.
  [[nodiscard]] std::optional<value_type> take(const key_type& key) {
    const byte_view wanted = key_bytes(key);
    const unsigned partition = partition_of(hash_of_key(wanted));
    auto& entries = reduced_.partitions[partition];
    const auto found = std::ranges::find_if(
        entries, [&](const auto& entry) { return entry.key.bytes().text() == wanted.text(); });
    if (found == entries.end()) return std::nullopt;
    const value_type value = finished(task_, key, found->value);
    *found = entries.back();
    entries.pop_back();
    index_.forget(partition);
    return value;
  }

  /// The entries before finish(), as the merge left them, for tasks that go on with them.
  [[nodiscard]] const keyed_partial<typename Task::reduce::value_type>& reduced() const& noexcept {
    return reduced_;
  }
  [[nodiscard]] keyed_partial<typename Task::reduce::value_type> reduced() && noexcept {
    return std::move(reduced_);
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

  template <class Any = void>
  std::vector<row> rows() const&& requires(has_views) {
    return refuse_temporary<Any>();
  }
  template <class Less>
  std::vector<row> sorted(const Less&, worker_pool&) const&& requires(has_views) {
    return refuse_temporary<Less>();
  }
  template <class Less>
  std::vector<row> sorted(const Less&) const&& requires(has_views) {
    return refuse_temporary<Less>();
  }
  template <class Less>
  std::vector<row> top(std::uint64_t, const Less&) const&& requires(has_views) {
    return refuse_temporary<Less>();
  }

  /// The memory budget of the rows, for tasks that go on with them.
  [[nodiscard]] const shared_budget& memory() const noexcept { return reduced_.held.of(); }

  /// All rows, in no particular order.
  /// @throws memory_exceeded, as sorted() and top() do
  [[nodiscard]] std::vector<row> rows() const& {
    reduced_.held.require(size() * sizeof(row), "the rows of a result");
    std::vector<row> all;
    all.reserve(size());
    for_each([&](const key_type& key, const value_type& value) { all.push_back({key, value}); });
    return all;
  }

  /// All rows, sorted by key (by_key), by value (by_value), or by the caller's strict weak order.
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less, worker_pool& pool) const& {
    reduced_.held.require(2 * size() * sizeof(row), "the rows of a result, which are sorted,");
    std::vector<row> all = rows();
    parallel_sort(all, less, pool);
    return all;
  }
  template <class Less>
  [[nodiscard]] std::vector<row> sorted(const Less& less) const& {
    sequential caller;
    return sorted(less, caller);
  }

  /// The first `count` rows in the given order. Does not sort the other rows.
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
  template <class Any>
  static std::vector<row> refuse_temporary() {
    static_assert(
        detail::never<Any>,
        "the keys of these rows are views into the result, which ends with this statement: give the result a "
        "name first, as in 'const auto counts = duomap::run(...); counts.top(...)'");
    return {};
  }

  Task task_;
  keyed_partial<typename Task::reduce::value_type> reduced_;
  key_index<typename Task::reduce::value_type> index_;
};

}  // namespace duomap
