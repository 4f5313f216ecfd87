// Partials as files: what one process or machine has found, for another one to merge and finish.
// host only
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/partial/partial_result.hpp"
#include "core/partial/stored/partial_reader.hpp"
#include "core/partial/stored/partial_writer.hpp"
#include "core/partial/stored/partitions.hpp"
#include "core/partial/stored/select_partials.hpp"
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

/// The kind of a task's partial and the types of its keys and its reduction: partials with other ones are not
/// merged. Types have the names that the compiler's ABI gives them.
template <map_reduce_task Task>
[[nodiscard]] std::string layout_of() {
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
void write_partitions(partial_writer& to, const Task& task, const partial_for<Task>& values, unsigned first,
                      unsigned last) {
  encoder bytes;
  for (unsigned p = first; p < last; ++p) {
    bytes.clear();
    const std::uint64_t entries = stored_kind<Task>::store(values, p, task, bytes);
    to.partition(std::string_view(bytes.bytes()), entries);
  }
}

/// Partitions [first, last) of a stored partial.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> read_partitions(const partial_reader& from, const Task& task, unsigned first,
                                                unsigned last) {
  partial_for<Task> values = empty_partial(task);
  for (unsigned p = first; p < last; ++p) {
    const std::string bytes = from.partition(p);
    decoder entries(std::string_view(bytes), "partition " + std::to_string(p) + " of " + from.name());
    stored_kind<Task>::load(entries, p, task, values);
    entries.expect_end();
  }
  return values;
}

/// The same of several, merged.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> merged_partitions(const selected_partials& from, const Task& task,
                                                  unsigned first, unsigned last, worker_pool& pool) {
  return within_memory([&] {
    partial_for<Task> all = empty_partial(task);
    for (const auto& one : from.readers) {
      std::vector<partial_for<Task>> both;
      both.push_back(std::move(all));
      both.push_back(read_partitions(*one, task, first, last));
      all = merge_partials(std::move(both), task, pool);
    }
    return all;
  });
}

}  // namespace detail

/// Stores a partial.
/// @throws what the sink throws
template <map_reduce_task Task>
void write_partial(byte_sink& to, const Task& task, const partial_result<Task>& found,
                   const task_identity& identity) {
  partial_writer writer(to);
  detail::write_partitions(writer, task, found.values, 0, detail::stored_kind<Task>::partitions(task));
  writer.finish(detail::header_of(task, identity, found.covers));
}

/// Those of several stored partials that are to be merged.
/// @throws input_error when one is of another task, other parameters or another input, and when two hold some
/// of the same input and neither holds all of the other's
template <map_reduce_task Task>
[[nodiscard]] selected_partials select_partials(std::vector<std::shared_ptr<const partial_reader>> readers,
                                                const Task& task, const task_identity& identity) {
  const unsigned partitions = detail::stored_kind<Task>::partitions(task);
  for (const auto& one : readers) {
    one->require(identity, layout_of<Task>(), detail::stored_key_count(task), partitions);
  }
  return each_part_once(std::move(readers));
}

/// Partitions of a stored partial of the task: partition p of one has the keys of partition p of any other.
template <map_reduce_task Task>
[[nodiscard]] unsigned stored_partitions(const Task& task) {
  return detail::stored_kind<Task>::partitions(task);
}

/// Merges partitions [first, last) of stored partials in memory: the part of the result that has their keys.
/// Requires first <= last <= stored_partitions(task).
/// @throws input_error when one is damaged; out_of_memory
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> read_partitions(const selected_partials& from, const Task& task,
                                                   unsigned first, unsigned last, worker_pool& pool) {
  return {detail::merged_partitions(from, task, first, last, pool), from.covers};
}

/// The same of all partitions.
template <map_reduce_task Task>
[[nodiscard]] partial_result<Task> read_partials(const selected_partials& from, const Task& task,
                                                 worker_pool& pool) {
  return read_partitions(from, task, 0, stored_partitions(task), pool);
}

/// Merges stored partials into another one, some partitions at a time: with hashed keys a sixteenth of the
/// result is in memory.
/// @throws input_error when one is damaged; out_of_memory; what the sink throws
template <map_reduce_task Task>
void merge_stored(byte_sink& to, const selected_partials& from, const Task& task, worker_pool& pool) {
  constexpr unsigned at_a_time = partition_count / 16;
  const unsigned partitions = stored_partitions(task);
  partial_writer writer(to);
  for (unsigned first = 0; first < partitions; first += at_a_time) {
    const unsigned last = std::min(partitions, first + at_a_time);
    const auto values = detail::merged_partitions(from, task, first, last, pool);
    detail::write_partitions(writer, task, values, first, last);
  }
  writer.finish(detail::header_of(task, from.readers.front()->header().task, from.covers));
}

}  // namespace duomap
