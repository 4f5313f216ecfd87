// One job from input to result: the reading order of the whole project on one page.
// host only
#pragma once

#include "core/backend.hpp"
#include "core/boundary.hpp"
#include "core/executor.hpp"
#include "core/input/input.hpp"
#include "core/partial/partial_for.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::scheduler {

struct execute_options;

/// The map phase of run() (scheduler/dispatch/execute.cpp). `keeps_alive` is the options' one; the options
/// have none of their own.
void map_input(const input& from, const boundary& records, std::span<executor* const> executors,
               std::shared_ptr<void> keeps_alive, run_control* control, run_report& report,
               const execute_options* how);

/// Runs `task` over `from` on all backends at once, merges what they found, partition by partition, on
/// `pool`, and gives that to `finish`: finish(partial). `backends` is a vector of pointers to backend<Task>;
/// shared ones when any of them can be abandoned. `how` (scheduler/dispatch/execute.hpp): null for the
/// defaults.
/// @throws interrupted, input_error, out_of_memory, and what the task's map throws; no result then
template <map_reduce_task Task, class Pointer, class Finish>
[[nodiscard]] auto run_and_finish(const Task& task, const input& from, const std::vector<Pointer>& backends,
                                  worker_pool& pool, run_control* control, run_report& report,
                                  const execute_options* how, const Finish& finish) {
  const format_boundary<typename Task::format> records(format_of(task));
  std::vector<executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  std::shared_ptr<void> keeps_alive;
  if constexpr (std::is_copy_constructible_v<Pointer>)
    keeps_alive = std::make_shared<std::vector<Pointer>>(backends);
  map_input(from, records, executors, std::move(keeps_alive), control, report, how);

  const auto merge_start = std::chrono::steady_clock::now();
  std::vector<partial_for<Task>> partials;
  // Not of those that did nothing: an empty table has to be made, and merged. Of one of them, if nobody did.
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const bool last = i + 1 == backends.size();
    if (report.executors[i].units > 0 || (last && partials.empty()))
      partials.push_back(backends[i]->release_partial(pool));
  }
  auto result = finish(merge_partials(std::move(partials), task, pool));
  report.merge_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - merge_start).count();
  if constexpr (requires { result.size(); }) report.results = result.size();
  return result;
}

/// The same with the task's result.
template <map_reduce_task Task, class Pointer>
[[nodiscard]] result_for<Task> run(const Task& task, const input& from, const std::vector<Pointer>& backends,
                                   worker_pool& pool, run_control* control, run_report& report,
                                   const execute_options* how = nullptr) {
  return run_and_finish(task, from, backends, pool, control, report, how,
                        [&](partial_for<Task> merged) { return make_result(task, std::move(merged), pool); });
}

}  // namespace duomap::scheduler
