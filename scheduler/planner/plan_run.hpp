// Plans a run before it begins: which executors take part, which wait, and how fast each is believed to be.
#pragma once

#include "core/run_options.hpp"
#include "scheduler/planner/planning_history.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/run_plan.hpp"
#include "scheduler/planner/task_traits.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

namespace duomap::scheduler {

/// Plans a run. The plan's notes say why a device is not used. The numbers behind the decisions are in
/// planner_thresholds.hpp. `outlook`: outlook_for().
/// @throws device_unavailable with the reason when the options demand a device that cannot be had
[[nodiscard]] run_plan plan_run(const task_traits& task, run_outlook outlook,
                                const available_machine& machine, planning_history& history,
                                const run_options& options,
                                const planner_thresholds& by = measured_thresholds);

/// The number of the pool's `workers` that take no chunks. There are then no more threads than cores,
/// including `device_threads` threads that drive and feed devices. A core that feeds a GPU brings it ten
/// times the bytes that the core could map itself, and a chunk waits if one feeding thread has lost its core.
/// On an H200's host with 16 cores, 10 of them feeding, whole runs of word count (8.4 GB) reached 42 to 44
/// GB/s beside 5 workers, 37 to 39 beside 6, and 44 without workers.
[[nodiscard]] constexpr unsigned idle_workers(unsigned workers, unsigned cores, unsigned device_threads) {
  const unsigned busy = workers + device_threads;
  const unsigned too_many = busy > cores ? busy - cores : 0;
  return too_many < workers ? too_many : workers;
}

}  // namespace duomap::scheduler
