// Maps one part of an input, for `duomap map`, in which each process or machine maps another part. Programs
// include it beside duomap.hpp.
#pragma once

#include "core/boundary.hpp"
#include "core/input/input.hpp"
#include "core/input/input_slice.hpp"
#include "core/partial/covered_input.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/partial_result.hpp"
#include "core/partial/place_texts.hpp"
#include "core/partial/stored/partitions.hpp"
#include "core/partial/stored/stored_fields.hpp"
#include "core/partial/stored/stored_texts.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/run.hpp"

#include <span>

namespace duomap {

/// Implements map_partial() for these kinds of executors.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] partial_result<Task> map_partial_on(const Task& task, const input& whole,
                                                  std::span<const input_slice> slices, worker_pool& pool,
                                                  const run_options& options) {
  const input part = slice_input(whole, slices, format_boundary<typename Task::format>(format_of(task)));
  return within_memory([&] {
    partial_result<Task> found{
        run_and_finish_on<Kinds>(task, part, pool, options,
                                 [](partial_for<Task> merged, worker_pool&) { return merged; }),
        covered_input(whole, slices)};
    if constexpr (detail::holds_places<Task>) {
      const unsigned partitions = detail::stored_kind<Task>::partitions(task);
      found.texts = place_texts(whole, detail::places_in(task, found.values, 0, partitions));
    }
    return found;
  });
}

/// Runs the map of a task over slices of an input (core/input/input_slice.hpp): the part of one process or
/// machine. merge_into() and finish() (core/partial/partial_result.hpp) make the result from several
/// partials, also from stored ones (core/partial/stored/stored_partial.hpp). If keys or values are places of
/// texts, the result of this function also has the texts, for which a compressed file is read again.
/// @throws the errors of run(); usage_error when a slice does not lie in the input
template <class Task>
[[nodiscard]] auto map_partial(const Task& task, const input& whole, std::span<const input_slice> slices,
                               worker_pool& pool, const run_options& options = {}) {
  if constexpr (require_task<Task>())
    return map_partial_on<registered_kinds>(task, whole, slices, pool, options);
}

}  // namespace duomap
