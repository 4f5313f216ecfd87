// The part of a run that one process or machine does. Programs include it beside duomap.hpp.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/input/input.hpp"
#include "core/input/input_slice.hpp"
#include "core/job_options.hpp"
#include "core/partial/covered_input.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/partial_result.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/run.hpp"

#include <span>

namespace duomap {

/// map_partial() on these kinds of executors.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] partial_result<Task> map_partial_on(const Task& task, const input& whole,
                                                  std::span<const input_slice> slices, worker_pool& pool,
                                                  const job_options& options) {
  const input part = slice_input(whole, slices, format_boundary<typename Task::format>(format_of(task)));
  return within_memory([&] {
    return partial_result<Task>{
        run_and_finish_on<Kinds>(task, part, pool, options,
                                 [](partial_for<Task> merged, worker_pool&) { return merged; }),
        covered_input(whole, slices)};
  });
}

/// Runs the map of a task over slices of an input (core/input/input_slice.hpp): the part of one process or
/// machine. merge_into() and finish() (core/partial/partial_result.hpp) make the result of several parts,
/// also of stored ones (core/partial/stored/stored_partial.hpp).
/// @throws what run() throws; usage_error when a slice does not lie in the input
template <class Task>
[[nodiscard]] auto map_partial(const Task& task, const input& whole, std::span<const input_slice> slices,
                               worker_pool& pool, const job_options& options = {}) {
  if constexpr (require_task<Task>())
    return map_partial_on<registered_kinds>(task, whole, slices, pool, options);
}

}  // namespace duomap
