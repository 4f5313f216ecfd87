// Stores partials as files. One process or machine stores its partial; another one merges such files and
// makes the result.
// host only
#pragma once

#include "core/memory_reservation.hpp"
#include "core/output/byte_sink.hpp"
#include "core/partial/partial_result.hpp"
#include "core/partial/stored/partial_reader.hpp"
#include "core/partial/stored/partial_writer.hpp"
#include "core/partial/stored/partitions.hpp"
#include "core/partial/stored/select_partials.hpp"
#include "core/partial/stored/stored_fields.hpp"
#include "core/partial/stored/stored_texts.hpp"
#include "core/partial/stored/values.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap {

/// Describes the kind of a task's partial and the types of its keys and its reduction. Only partials of the
/// same layout are merged. The compiler's ABI gives the names of the types.
template <map_reduce_task Task>
[[nodiscard]] std::string layout_of() {
  static_assert(
      !detail::keeps_pointers<typename Task::reduce>,
      "values that are addresses mean nothing to another process, so their partials are not stored");
  return std::string(detail::stored_kind<Task>::name) + "; key " + typeid(typename Task::key).name() +
         "; reduction " + typeid(typename Task::reduce).name();
}

namespace detail {

template <map_reduce_task Task>
[[nodiscard]] std::uint64_t stored_key_count(const Task& task) {
  if constexpr (hashed_key<typename Task::key>) {
    return 0;
  } else {
    return dense_key_count(task);
  }
}

template <map_reduce_task Task>
[[nodiscard]] partial_header header_of(const Task& task, const task_identity& identity,
                                       covered_input covers) {
  return {identity, layout_of<Task>(), stored_key_count(task), hash_fingerprint(), std::move(covers)};
}

template <map_reduce_task Task>
void write_partitions(partial_writer& to, const Task& task, const partial_result<Task>& found, unsigned first,
                      unsigned last) {
  for (unsigned p = first; p < last; ++p) {
    entry_encoder bytes;
    const std::uint64_t entries = stored_kind<Task>::store(found.values, p, task, bytes);
    if constexpr (holds_places<Task>) store_texts(bytes, found.texts);
    to.partition(std::string_view(bytes.bytes()), entries);
  }
}

/// A partial without entries. As it grows, it takes its memory from `memory`.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> empty_partial_within(const Task& task, const shared_budget& memory) {
  partial_for<Task> empty = empty_partial(task);
  if constexpr (requires { empty.held; }) empty.held = memory_reservation(memory);
  return empty;
}

/// Reads partitions [first, last) of a stored partial.
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> read_partitions(const partial_reader& from, const Task& task,
                                                   unsigned first, unsigned last,
                                                   const shared_budget& memory) {
  partial_result<Task> found{empty_partial_within(task, memory), from.header().covers};
  for (unsigned p = first; p < last; ++p) {
    const std::string bytes = from.partition(p);
    entry_decoder entries(std::string_view(bytes), "partition " + std::to_string(p) + " of " + from.name(),
                          from.header().covers);
    stored_kind<Task>::load(entries, p, task, found.values);
    if (entries.values() != from.entries(p))
      entries.refuse("it has " + std::to_string(entries.values()) + " values, and the header says " +
                     std::to_string(from.entries(p)));
    if constexpr (holds_places<Task>) load_texts(entries, found.texts);
    entries.expect_end();
  }
  return found;
}

/// Reads partitions [first, last) of several stored partials, and merges them.
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> merged_partitions(const selected_partials& from, const Task& task,
                                                     unsigned first, unsigned last, worker_pool& pool,
                                                     const shared_budget& memory) {
  return within_memory([&] {
    partial_result<Task> all{empty_partial_within(task, memory), from.covers};
    std::uint64_t texts_needed = 0;  // number of needed texts at the last count
    for (const auto& one : from.readers) {
      partial_result<Task> more = read_partitions(*one, task, first, last, memory);
      std::vector<partial_for<Task>> both;
      both.push_back(std::move(all.values));
      both.push_back(std::move(more.values));
      all.values = merge_partials(std::move(both), task, pool);
      if constexpr (holds_places<Task>) {
        all.texts.add(std::move(more.texts), one->name());
        // Most places lose against others, and then their texts are not needed. Drops those texts when there
        // are more than twice as many texts as at the last count of needed ones.
        if (all.texts.size() <= 2 * texts_needed) continue;
        all.texts.keep(places_in(task, all.values, first, last));
        texts_needed = all.texts.size();
      }
    }
    return all;
  });
}

}  // namespace detail

/// Stores a partial.
/// @throws output_error, closed_pipe or interrupted, as the sink does
template <map_reduce_task Task>
void write_partial(byte_sink& to, const Task& task, const partial_result<Task>& found,
                   const task_identity& identity) {
  partial_writer writer(to);
  detail::write_partitions(writer, task, found, 0, detail::stored_kind<Task>::partitions(task));
  writer.finish(detail::header_of(task, identity, found.covers));
}

/// Selects the stored partials for a merge.
/// @throws input_error when a partial is of another task, other parameters or another input, and when two
/// partials overlap and neither covers all of the other's part
template <map_reduce_task Task>
[[nodiscard]] selected_partials select_partials(std::vector<std::shared_ptr<const partial_reader>> readers,
                                                const Task& task, const task_identity& identity) {
  const unsigned partitions = detail::stored_kind<Task>::partitions(task);
  for (const auto& one : readers) {
    one->require(identity, layout_of<Task>(), detail::stored_key_count(task), partitions);
  }
  return each_part_once(std::move(readers));
}

/// The number of partitions of a stored partial of the task. In all of them partition p is for the same keys.
template <map_reduce_task Task>
[[nodiscard]] unsigned stored_partitions(const Task& task) {
  return detail::stored_kind<Task>::partitions(task);
}

/// Merges partitions [first, last) of stored partials in memory. This gives the part of the result with the
/// keys of these partitions. Requires first <= last <= stored_partitions(task). Takes memory from `memory` as
/// the result grows.
/// @throws input_error when a partial is damaged; out_of_memory; memory_exceeded
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> read_partitions(const selected_partials& from, const Task& task,
                                                   unsigned first, unsigned last, worker_pool& pool,
                                                   const shared_budget& memory = nullptr) {
  return detail::merged_partitions(from, task, first, last, pool, memory);
}

/// Merges all partitions of stored partials.
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> read_partials(const selected_partials& from, const Task& task,
                                                 worker_pool& pool, const shared_budget& memory = nullptr) {
  return read_partitions(from, task, 0, stored_partitions(task), pool, memory);
}

/// Merges stored partials into another stored partial. Merges some partitions at a time: with hashed keys, a
/// sixteenth of the result is in memory.
/// @throws input_error when a partial is damaged; out_of_memory; the errors of the sink
template <map_reduce_task Task>
void merge_stored(byte_sink& to, const selected_partials& from, const Task& task, worker_pool& pool,
                  const shared_budget& memory = nullptr) {
  constexpr unsigned at_a_time = partition_count / 16;
  const unsigned partitions = stored_partitions(task);
  partial_writer writer(to);
  for (unsigned first = 0; first < partitions; first += at_a_time) {
    const unsigned last = std::min(partitions, first + at_a_time);
    const auto found = detail::merged_partitions(from, task, first, last, pool, memory);
    detail::write_partitions(writer, task, found, first, last);
  }
  writer.finish(detail::header_of(task, from.readers.front()->header().task, from.covers));
}

}  // namespace duomap
