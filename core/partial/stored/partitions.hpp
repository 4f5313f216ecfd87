// Encodes and decodes a partition of each kind of partial.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/partial/all.hpp"
#include "core/partial/stored/values.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::detail {

/// The number of dense keys in a partition. It depends only on the number of all keys.
[[nodiscard]] inline std::uint64_t dense_keys_of_partition(std::uint64_t keys) {
  constexpr std::uint64_t least = 4096;
  return std::max(least, (keys + partition_count - 1) / partition_count);
}
[[nodiscard]] inline unsigned dense_partitions(std::uint64_t keys) {
  const std::uint64_t each = dense_keys_of_partition(keys);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (keys + each - 1) / each));
}

/// A partition has the dense keys [begin, end).
struct dense_key_range {
  std::uint64_t begin;
  std::uint64_t end;
};
[[nodiscard]] inline dense_key_range keys_of_dense_partition(std::uint64_t keys, unsigned p) {
  const std::uint64_t each = dense_keys_of_partition(keys);
  return {p * each, std::min(keys, (p + std::uint64_t{1}) * each)};
}

/// How a kind of partial is stored. Each kind has a type with these functions:
///   partitions(task)                          returns the number of partitions
///   store(partial, p, task, entry_encoder)    appends partition p; returns the number of its values
///   load(entry_decoder, p, task, partial)     adds partition p to a partial, which has none of it yet
template <map_reduce_task Task, class Partial = partial_for<Task>>
struct stored_kind;

/// Hashed keys under a commutative reduction. A partition is a list of keys with their values, in any order.
template <map_reduce_task Task, class V>
struct stored_kind<Task, keyed_partial<V>> {
  static constexpr const char* name = "values of hashed keys";
  [[nodiscard]] static unsigned partitions(const Task&) { return partition_count; }

  static std::uint64_t store(const keyed_partial<V>& from, unsigned p, const Task&, entry_encoder& to) {
    to.number(from.partitions[p].size());
    for (const auto& entry : from.partitions[p]) {
      to.template key<typename Task::key>(entry.key);
      to.template value<typename Task::reduce>(entry.value);
    }
    return from.partitions[p].size();
  }

  static void load(entry_decoder& from, unsigned p, const Task& task, keyed_partial<V>& to) {
    using key = typename Task::key;
    using reduce = typename Task::reduce;
    const auto arena = std::make_shared<key_arena>(to.held.of());
    const std::uint64_t entries = from.count(least_key_bytes<key> + least_value_bytes<reduce>());
    to.take(2 * entries);  // twice, for the reason in core/partial/merge_keyed.hpp
    to.partitions[p].reserve(entries);
    for (std::uint64_t i = 0; i < entries; ++i) {
      keyed_entry<V> entry{from.template key<key>(*arena), {}};
      if (partition_of(entry.key.hash()) != p) from.refuse("a key belongs to another partition");
      from.template value<reduce>(entry.value);
      from.require_possible(task, key_from<key>(entry.key), entry.value);
      to.partitions[p].push_back(entry);
    }
    if (arena->capacity() > 0) to.arenas.push_back(arena);
  }
};

/// Dense keys, or no key. A partition is a list of ranges of keys with values. A range is stored as the
/// number of keys without a value in front of it, its length, and its values. Length 0 ends the list.
template <map_reduce_task Task, class V>
struct stored_kind<Task, dense_partial<V>> {
  static constexpr const char* name = "values of dense keys";
  [[nodiscard]] static unsigned partitions(const Task& task) {
    return dense_partitions(dense_key_count(task));
  }

  static std::uint64_t store(const dense_partial<V>& from, unsigned p, const Task&, entry_encoder& to) {
    const auto [begin, end] = keys_of_dense_partition(from.size(), p);
    std::uint64_t stored = 0;
    for (std::uint64_t key = begin, before = key; key < end;) {
      if (!from.present(key)) {
        ++key;
        continue;
      }
      std::uint64_t last = key;
      while (last < end && from.present(last)) ++last;
      to.number(key - before);
      to.number(last - key);
      stored += last - key;
      for (; key < last; ++key) to.template value<typename Task::reduce>(from[key]);
      before = key;
    }
    to.number(0);
    to.number(0);
    return stored;
  }

  static void load(entry_decoder& from, unsigned p, const Task& task, dense_partial<V>& to) {
    const auto [begin, end] = keys_of_dense_partition(to.size(), p);
    for (std::uint64_t key = begin;;) {
      key += from.number(end - key);
      const std::uint64_t last = key + from.number(end - key);
      if (key == last) return;
      for (; key < last; ++key) {
        V value;
        from.template value<typename Task::reduce>(value);
        from.require_possible(task, key, value);
        to.reduce(key, value, reduction_of(task));
      }
    }
  }
};

/// Slots. For each slot there is a byte that says whether the slot has a value, and then the value.
template <map_reduce_task Task, class... R>
struct stored_kind<Task, slots_partial<R...>> {
  static constexpr const char* name = "slots";
  [[nodiscard]] static unsigned partitions(const Task&) { return 1; }

  static std::uint64_t store(const slots_partial<R...>& from, unsigned, const Task&, entry_encoder& to) {
    std::uint64_t stored = 0;
    for_each_slot([&]<std::size_t I>() {
      using reduction = std::tuple_element_t<I, std::tuple<R...>>;
      const auto& value = from.template get<I>();
      to.number(value ? 1 : 0);
      if (value) to.template value<reduction>(*value);
      stored += value.has_value();
    });
    return stored;
  }

  static void load(entry_decoder& from, unsigned, const Task& task, slots_partial<R...>& to) {
    for_each_slot([&]<std::size_t I>() {
      using reduction = std::tuple_element_t<I, std::tuple<R...>>;
      if (from.number(1) == 0) return;
      typename reduction::value_type value;
      from.template value<reduction>(value);
      from.require_possible(task, slot<I>, value);
      to.template reduce<I>(value, reduction_of(task));
    });
  }

 private:
  template <class Use>
  static void for_each_slot(Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (use.template operator()<I>(), ...); }
    (std::index_sequence_for<R...>{});
  }
};

/// The best values of each dense key: for each key the number of values, and the values, best first.
template <map_reduce_task Task, class V, class Better>
struct stored_kind<Task, std::vector<best_values<V, Better>>> {
  using partial = top_partial<V, Better>;
  static constexpr const char* name = "best values";
  [[nodiscard]] static unsigned partitions(const Task& task) {
    return dense_partitions(dense_key_count(task));
  }

  static std::uint64_t store(const partial& from, unsigned p, const Task& task, entry_encoder& to) {
    std::uint64_t stored = 0;
    for_each_key(from, p, [&](const best_values<V, Better>& best, std::uint64_t /*key*/) {
      const std::vector<V> values = best.ranked(reduction_of(task));
      to.number(values.size());
      for (const V& value : values) to.template value<typename Task::reduce>(value);
      stored += values.size();
    });
    return stored;
  }

  static void load(entry_decoder& from, unsigned p, const Task& task, partial& to) {
    for_each_key(to, p, [&](best_values<V, Better>& best, std::uint64_t key) {
      const std::uint64_t values = from.number(reduction_of(task).k);
      for (std::uint64_t i = 0; i < values; ++i) {
        V value;
        from.template value<typename Task::reduce>(value);
        from.require_possible(task, key, value);
        best.add(value, reduction_of(task));
      }
    });
  }

 private:
  template <class Partial, class Use>
  static void for_each_key(Partial& all, unsigned p, Use&& use) {
    const auto [begin, end] = keys_of_dense_partition(all.size(), p);
    for (std::uint64_t key = begin; key < end; ++key) use(all[key], key);
  }
};

/// Emits in order. A partition is a list of runs, each with its source, its offset there, and its entries.
/// There is one partition, unless the result is by hashed key.
template <map_reduce_task Task, class V>
struct stored_kind<Task, collected_partial<V>> {
  static constexpr const char* name = "emits in input order";
  using key = result_key<typename Task::key>;

  [[nodiscard]] static unsigned partitions(const Task& task) { return by_key(task) ? partition_count : 1; }

  static std::uint64_t store(const collected_partial<V>& from, unsigned p, const Task& task,
                             entry_encoder& to) {
    const bool all = !by_key(task);
    const auto has = [&](const auto& entry) {
      return all || partition_of(entry.key.hash()) == p;
    };
    std::uint64_t stored = 0;
    for (const emit_run<V>& run : from.runs) {
      const auto entries = static_cast<std::uint64_t>(std::ranges::count_if(run.entries, has));
      if (entries == 0) continue;
      to.number(entries);
      to.number(run.source);
      to.number(run.offset);
      for (const auto& entry : run.entries) {
        if (!has(entry)) continue;
        if constexpr (!std::same_as<typename Task::key, no_key>) to.template key<key>(entry.key);
        to.template value<typename Task::reduce>(entry.value);
      }
      stored += entries;
    }
    to.number(0);
    return stored;
  }

  static void load(entry_decoder& from, unsigned p, const Task& task, collected_partial<V>& to) {
    const bool all = !by_key(task);
    const auto arena = std::make_shared<key_arena>(to.held.of());
    while (const std::uint64_t entries = from.count(least_bytes)) {
      emit_run<V> run{static_cast<std::uint32_t>(from.number(UINT32_MAX)), from.number(), {}};
      from.check().place(run.source, run.offset);
      to.take(entries);
      run.entries.reserve(entries);
      for (std::uint64_t i = 0; i < entries; ++i) run.entries.push_back(load_entry(from, task, *arena));
      for (const auto& entry : run.entries) {
        if (!all && partition_of(entry.key.hash()) != p) from.refuse("a key belongs to another partition");
      }
      to.runs.push_back(std::move(run));
    }
    if (arena->capacity() > 0) to.arenas.push_back(arena);
  }

 private:
  [[nodiscard]] static bool by_key([[maybe_unused]] const Task& task) {
    if constexpr (!hashed_key<typename Task::key>) {
      return false;
    } else if constexpr (is_collect<typename Task::reduce>) {
      return reduction_of(task).grouped;
    } else {
      return true;
    }
  }

  static constexpr std::uint64_t least_bytes =
      (std::same_as<typename Task::key, no_key>
           ? 0
           : least_key_bytes<key>)+least_value_bytes<typename Task::reduce>();

  [[nodiscard]] static keyed_entry<stored_value<V>> load_entry(entry_decoder& from, const Task& task,
                                                               key_arena& arena) {
    using reduce = typename Task::reduce;
    keyed_entry<stored_value<V>> entry;
    if constexpr (std::same_as<typename Task::key, no_key>) {
      entry.key = compact_key::of_short(key_bytes(key{}));
    } else {
      entry.key = from.template key<key>(arena);
    }
    const key its_key = key_from<key>(entry.key);
    if constexpr (std::same_as<typename Task::key, dense>)
      from.check().index("a key", its_key, dense_key_count(task));
    if constexpr (std::same_as<V, byte_view>) {
      from.template value<reduce>(entry.value, arena);
      from.require_possible(task, its_key, entry.value.bytes());
    } else {
      from.template value<reduce>(entry.value);
      from.require_possible(task, its_key, entry.value);
    }
    return entry;
  }
};

}  // namespace duomap::detail
