// The result of a collect task.
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/parallel_partition.hpp"
#include "core/parallel_sort.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// Sorts the entries by key (key_less). Entries of equal keys keep their order. Equal keys are found by hash,
/// and only distinct keys are sorted, because most entries share their key with other entries.
template <hashed_key Key, class V>
[[nodiscard]] emit_list<V> grouped_by_key(emit_list<V> all, worker_pool& pool) {
  struct group {
    compact_key key;
    std::uint64_t size;
    std::uint64_t part;
    std::uint64_t number;  // counted within its part
  };
  // A smaller piece takes less time than handing it to another thread.
  constexpr std::uint64_t smallest_piece = torture ? 2 : 4096;
  constexpr unsigned most_bits = 8;
  const std::uint64_t pieces =
      std::clamp<std::uint64_t>(all.size() / smallest_piece, 1, std::uint64_t{pool.workers()} * 4);
  const std::uint64_t parts =
      std::bit_floor(std::clamp<std::uint64_t>(all.size() / smallest_piece, 1, 1 << most_bits));
  // The first bits of a hash name the part. A single part needs no bits.
  const auto part_of = [other_bits = 63 - std::countr_zero(parts)](const auto& entry) {
    return entry.key.hash() >> 1 >> other_bits;
  };
  const auto begins = parallel_partition(all, parts, pieces, part_of, pool);

  std::vector<std::vector<group>> groups(parts);
  std::vector<std::uint64_t> number_of(all.size());  // number_of[i] is the group of entry i
  pool.for_each_index(parts, [&](std::uint64_t p) {
    combining_table<std::uint64_t, most_bits> numbers;
    for (std::uint64_t i = begins[p]; i < begins[p + 1]; ++i) {
      const compact_key& key = all[i].key;
      std::uint64_t number = groups[p].size();
      numbers.reduce_stored(key, number,
                            [&](std::uint64_t known, std::uint64_t /*number*/) { return number = known; });
      if (number == groups[p].size()) groups[p].push_back({key, 0, p, number});
      number_of[i] = number;
      ++groups[p][number].size;
    }
  });

  std::vector<group> ordered;
  for (const auto& some : groups) ordered.insert(ordered.end(), some.begin(), some.end());
  parallel_sort(
      ordered,
      [](const group& a, const group& b) {
        const auto key = key_from<Key>(a.key);
        const auto other = key_from<Key>(b.key);
        // A key's type may have a < that does not tell all different bytes apart.
        return key_less(key, other) || (!key_less(other, key) && a.key.bytes().text() < b.key.bytes().text());
      },
      pool);
  std::uint64_t before = 0;
  for (const group& one : ordered)
    groups[one.part][one.number].size =
        std::exchange(before, before + one.size);  // from here on `size` is the group's first index

  emit_list<V> grouped(all.size());
  pool.for_each_index(parts, [&](std::uint64_t p) {
    for (std::uint64_t i = begins[p]; i < begins[p + 1]; ++i)
      grouped[groups[p][number_of[i]].size++] = all[i];
  });
  return grouped;
}

/// Collected rows. They are in input order, or sorted by key, with each key's values in input order.
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

  /// The memory budget of the rows, for tasks that go on with them.
  [[nodiscard]] const shared_budget& memory() const noexcept { return collected_.held.of(); }

  /// The rows in order: a list for each chunk, or one list if grouped. Several threads can go through the
  /// lists.
  [[nodiscard]] const std::vector<emit_run<value_type>>& runs() const noexcept { return collected_.runs; }

 private:
  /// Joins all runs to one run, which is sorted by key.
  void group(worker_pool& pool) {
    emit_list<value_type> all;
    all.reserve(size_);
    for (auto& run : collected_.runs) {
      all.insert(all.end(), run.entries.begin(), run.entries.end());
      run.entries = {};
    }
    emit_list<value_type> grouped = grouped_by_key<key_type, value_type>(std::move(all), pool);
    collected_.runs.clear();
    collected_.runs.push_back({0, 0, std::move(grouped)});
  }

  collected_partial<value_type> collected_;
  std::uint64_t size_ = 0;
};

}  // namespace duomap
