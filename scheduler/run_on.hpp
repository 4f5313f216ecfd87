// A run on given kinds of executors, from its options to its report.
// host only
#pragma once

#include "core/backend.hpp"
#include "core/collect_budget.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/parallel.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/task.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/planner/plan_run.hpp"
#include "scheduler/planner/run_history.hpp"
#include "scheduler/run.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace duomap {

namespace detail {

/// The backends of a run: the pool's, if it takes part, and those of the devices in the plan's order.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] std::vector<std::shared_ptr<backend<Task>>> make_backends(const Task& task, parallel& pool,
                                                                        const scheduler::run_plan& plan,
                                                                        const job_options& options) {
  std::vector<std::shared_ptr<backend<Task>>> all;
  std::shared_ptr<collect_budget> collected;
  if (plan.collects)
    collected = std::make_shared<collect_budget>(plan.collects->bytes, plan.collects->copies);
  if (plan.pools) all.push_back(Kinds::pool::make_backend(task, pool, collected));
  Kinds::for_each_device_kind([&]<class Kind>(Kind) {
    if constexpr (Kind::template has_code<Task>) {
      std::vector<device_in_run> devices;
      for (const scheduler::planned_device& one : plan.devices) {
        if (one.from == &Kind::provider()) devices.push_back(one.device);
      }
      if (!devices.empty()) Kind::add_backends(all, task, devices, options, collected);
    }
  });
  return all;
}

/// The plan as the scheduler takes it, with models in the order of make_backends().
[[nodiscard]] inline scheduler::execute_options execute_options_of(const scheduler::run_plan& plan,
                                                                   const job_options& options) {
  scheduler::execute_options how{.split = options.split,
                                 .idle = plan.idle,
                                 .stand_by_seconds = plan.stand_by_seconds,
                                 .first_look = plan.first_look,
                                 .strict = options.strict,
                                 .timeline = options.timeline};
  if (plan.models.pool) how.models.push_back(*plan.models.pool);
  how.models.insert(how.models.end(), plan.models.devices.begin(), plan.models.devices.end());
  return how;
}

}  // namespace detail

/// run() of duomap.hpp, on these kinds of executors.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] auto run_on(const Task& task, const input& from, parallel& pool, const job_options& options) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  Kinds::for_each_device_kind([&]<class Kind>(Kind) { Kind::template check<Task>(options); });
  const auto offers = Kinds::template offers<Task>();
  const auto outlook = scheduler::outlook_for(from, pool.workers(), Kinds::providers());
  const scheduler::available_machine machine{Kinds::pool::provider(), offers};
  scheduler::run_history history(options, machine.host, scheduler::profile_name_of(task, data_home(outlook)),
                                 pool.workers(), outlook.addressable_units);
  const auto traits = scheduler::traits_of(task, outlook.addressable_units, pool.workers());
  const scheduler::run_plan plan = scheduler::plan_run(traits, outlook, machine, history, options);

  run_report report;
  report.notes = plan.notes;
  auto backends = detail::make_backends<Kinds>(task, pool, plan, options);
  auto result = scheduler::run(task, from, backends, pool, options.control, report,
                               detail::execute_options_of(plan, options));
  // What a crew is worth is what it takes with all that it needs: a part of a millisecond goes into making
  // what drives a device, and ending it.
  backends.clear();
  history.learn(plan, report, std::chrono::duration<double>(clock::now() - begin).count());
  if (options.report != nullptr) *options.report = std::move(report);
  return result;
}

}  // namespace duomap
