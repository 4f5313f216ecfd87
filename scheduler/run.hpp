// One job from input to result: the reading order of the whole project on one page.
// host only
#pragma once

#include "core/backend.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/record/format_boundary.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/task.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/dispatch/work.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Runs `task` over `from` on all backends at once and merges what they found, partition by partition, on
/// `pool`. `backends` is a vector of pointers to backend<Task>; shared ones when any of them can be
/// abandoned.
/// @throws interrupted, input_error, out_of_memory, and what the task's map throws; no result then
template <map_reduce_task Task, class Pointer>
[[nodiscard]] result_for<Task> run(const Task& task, const input& from, const std::vector<Pointer>& backends,
                                   parallel& pool, run_control* control, run_report& report,
                                   execute_options how = {}) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
  };

  const auto start = clock::now();
  const format_boundary<typename Task::format> records(format_of(task));
  std::vector<executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  work all(from, records, work_options{}, control);
  if constexpr (std::is_copy_constructible_v<Pointer>)
    how.keeps_alive = std::make_shared<std::vector<Pointer>>(backends);
  execution done = execute(all, executors, control, std::move(how));
  report.executors = std::move(done.executors);
  report.planned_seconds = done.planned_seconds;
  report.timeline = std::move(done.timeline);
  if (done.events_dropped > 0)
    report.notes.push_back("the timeline lacks " + std::to_string(done.events_dropped) +
                           " events at its end, for which it had no room");
  report.map_seconds = seconds_since(start);
  for (const executor_report& one : report.executors) {
    report.degraded = report.degraded || !one.trouble.empty();
    if (!one.trouble.empty()) report.notes.push_back(one.trouble);
  }
  for (std::size_t i = 0; i < executors.size(); ++i) {
    for (std::string& note : executors[i]->notes()) report.notes.push_back(std::move(note));
    report.executors[i].engine = executors[i]->figures();
  }

  const auto merge_start = clock::now();
  std::vector<partial_for<Task>> partials;
  // Not of those that did nothing: an empty table has to be made, and merged. Of one of them, if nobody did.
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const bool last = i + 1 == backends.size();
    if (report.executors[i].units > 0 || (last && partials.empty()))
      partials.push_back(backends[i]->take_partial(pool));
  }
  auto result = make_result(task, merge_partials(std::move(partials), task, pool), pool);
  report.merge_seconds = seconds_since(merge_start);

  report.sources = from.size();
  for (const executor_report& executor : report.executors) report.units += executor.units;
  if constexpr (requires { result.size(); }) report.results = result.size();
  return result;
}

}  // namespace duomap::scheduler
