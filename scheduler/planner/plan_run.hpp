// Plans a run before it begins: which executors take part, which wait, and how fast each is believed to be.
#pragma once

#include "core/run_options.hpp"
#include "scheduler/planner/planning_history.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/run_plan.hpp"
#include "scheduler/planner/task_traits.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

namespace duomap::scheduler {

/// Plans a run. The plan's notes say why a device is not used; the numbers behind the decisions are in
/// planner_thresholds.hpp. `outlook`: outlook_for().
/// @throws device_unavailable with the reason when the options demand a device that cannot be had
[[nodiscard]] run_plan plan_run(const task_traits& task, run_outlook outlook,
                                const available_machine& machine, planning_history& history,
                                const run_options& options,
                                const planner_thresholds& by = measured_thresholds);

/// The number of the pool's `workers` that take no chunks, so that with `device_threads` threads for driving
/// and feeding devices there are no more threads than cores. A core that feeds brings a GPU ten times the
/// bytes that it maps itself, and a chunk waits for a piece whose thread has lost its core. On an H200's host
/// with 16 cores, of which 10 fed it, whole runs of word count (8.4 GB) made 42 to 44 GB/s beside 5 workers,
/// 37 to 39 beside 6, and 44 without any.
[[nodiscard]] constexpr unsigned idle_workers(unsigned workers, unsigned cores, unsigned device_threads) {
  const unsigned busy = workers + device_threads;
  const unsigned too_many = busy > cores ? busy - cores : 0;
  return too_many < workers ? too_many : workers;
}

}  // namespace duomap::scheduler
