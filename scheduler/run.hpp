// Does a run, from its options to its result. Begin reading the project here.
#pragma once

#include "core/backend.hpp"
#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/executor.hpp"
#include "core/input/input.hpp"
#include "core/memory_reservation.hpp"
#include "core/nothing_emitted.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/partial/partial_for.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/planner/planned_run.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::scheduler {

struct execute_options;

/// Makes the memory budget of a run, from the options or from the memory that the machine has left
/// (memory_of_run.cpp). `grouped`: the run collects its emits and sorts them by key.
[[nodiscard]] shared_budget memory_of_run(const host_provider& host, const run_options& options,
                                          bool grouped);

/// Does the map phase of run() (map_input.cpp). `keeps_alive` replaces the member of the options with that
/// name. False: the input was small, and was done without waking the pool's threads.
bool map_input(const input& from, const boundary& records, std::span<executor* const> executors,
               std::shared_ptr<void> keeps_alive, run_control* control, run_report& report,
               const execute_options* how);

/// Runs `task` over `from` on all backends at once. Then it merges their partials on `pool`, partition by
/// partition, and calls finish(partial, pool). `backends` is a vector of pointers to backend<Task>, which are
/// shared pointers if a backend can be abandoned. `how` (scheduler/dispatch/execute.hpp): null for the
/// defaults. `memory`: the budget of the backends, the merge and the result.
/// @throws interrupted, input_error, out_of_memory, map_failed with map's exception nested, and a
/// duomap::error that map throws; no result then
template <map_reduce_task Task, class Pointer, class Finish>
[[nodiscard]] auto run_and_finish(const Task& task, const input& from, const std::vector<Pointer>& backends,
                                  worker_pool& pool, run_control* control, run_report& report,
                                  const execute_options* how, const shared_budget& memory,
                                  const Finish& finish) {
  const format_boundary<typename Task::format> records(format_of(task));
  std::vector<executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  std::shared_ptr<void> keeps_alive;
  if constexpr (std::is_copy_constructible_v<Pointer>)
    keeps_alive = std::make_shared<std::vector<Pointer>>(backends);
  sequential caller;
  const bool wakes = map_input(from, records, executors, std::move(keeps_alive), control, report, how);
  worker_pool& merging = wakes ? pool : caller;

  const auto merge_start = std::chrono::steady_clock::now();
  std::vector<partial_for<Task>> partials;
  // A backend that did nothing gives no partial, to save making and merging an empty table.
  for (std::size_t i = 0; i < backends.size(); ++i) {
    if (report.executors[i].units == 0) continue;
    for (partial_for<Task>& one : backends[i]->release_partials(merging)) partials.push_back(std::move(one));
  }
  if (partials.empty()) partials.push_back(empty_partial(task));
  if constexpr (requires { partials.front().held; }) {
    if (!partials.front().held.of()) partials.front().held = memory_reservation(memory);
  }
  auto result = finish(merge_partials(std::move(partials), task, merging), merging);
  report.merge_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - merge_start).count();
  if constexpr (requires { result.size(); }) report.results = result.size();
  return result;
}

/// Does run_and_finish(), and makes the task's result.
template <map_reduce_task Task, class Pointer>
[[nodiscard]] result_for<Task> run(const Task& task, const input& from, const std::vector<Pointer>& backends,
                                   worker_pool& pool, run_control* control, run_report& report,
                                   const execute_options* how = nullptr,
                                   const shared_budget& memory = nullptr) {
  return run_and_finish(task, from, backends, pool, control, report, how, memory,
                        [&](auto merged, auto& on) { return make_result(task, std::move(merged), on); });
}

}  // namespace duomap::scheduler

namespace duomap {

namespace detail {

template <class Kinds, map_reduce_task Task>
[[nodiscard]] shared_budget memory_of_run([[maybe_unused]] const Task& task, const run_options& options) {
  bool grouped = false;
  if constexpr (is_collect<typename Task::reduce>) grouped = reduction_of(task).grouped;
  return scheduler::memory_of_run(Kinds::pool::provider(), options, grouped);
}

/// Makes the backends of a run: the pool's, if the pool takes part, and those of the plan's devices.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] std::vector<std::shared_ptr<backend<Task>>> make_backends(const Task& task, worker_pool& pool,
                                                                        const scheduler::planned_run& plan,
                                                                        const run_options& options,
                                                                        const shared_budget& memory) {
  std::vector<std::shared_ptr<backend<Task>>> all;
  if (plan.pools()) all.push_back(Kinds::pool::make_backend(task, pool, memory));
  Kinds::for_each_device_kind([&]<class Kind>(Kind) {
    if constexpr (Kind::template has_code<Task>) {
      std::vector<device_in_run> devices;
      for (const scheduler::planned_device& one : plan.devices()) {
        if (one.from == &Kind::provider()) devices.push_back(one.device);
      }
      if (!devices.empty()) Kind::add_backends(all, task, devices, options, memory);
    }
  });
  return all;
}

}  // namespace detail

/// Does a run on these kinds of executors, and ends it with finish(partial, pool). If the planner chose only
/// devices for streams, and they fail, the pool does the run again from its beginning.
template <class Kinds, map_reduce_task Task, class Finish>
[[nodiscard]] auto run_and_finish_on(const Task& task, const input& from, worker_pool& pool,
                                     const run_options& options, const Finish& finish) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  Kinds::for_each_device_kind([&]<class Kind>(Kind) { Kind::template check<Task>(options); });
  const auto outlook = scheduler::outlook_for(from, pool.workers(), Kinds::providers());
  const auto offers = Kinds::template offers<Task>();
  scheduler::planned_run plan(scheduler::profile_name_of(task, data_home(outlook)),
                              scheduler::traits_of(task, outlook.addressable_units, pool.workers()), outlook,
                              {Kinds::pool::provider(), offers}, options);
  const auto run_as_planned = [&] {
    const shared_budget memory = detail::memory_of_run<Kinds>(task, options);
    auto backends = detail::make_backends<Kinds>(task, pool, plan, options, memory);
    run_report report;
    report.notes = plan.notes();
    report.account = plan.account();
    auto result = scheduler::run_and_finish(task, from, backends, pool, options.control, report, &plan.how(),
                                            memory, finish);
    backends.clear();
    plan.learn(report, std::chrono::duration<double>(clock::now() - begin).count());
    plan.drop_unlisted_devices(report);
    if (options.report == nullptr) return result;
    if constexpr (requires { format_of(task).row_bytes(); }) {
      const auto format = format_of(task);
      std::string cut = cut_rows_text(from, format.header_bytes, format.row_bytes());
      if (!cut.empty()) report.notes.push_back(std::move(cut));
    }
    if constexpr (requires { result.size(); }) {
      if (report.results == 0 && report.units > 0 && !may_emit_nothing<Task>)
        report.notes.push_back(nothing_emitted_text(task, from));
    }
    *options.report = std::move(report);
    return result;
  };
  if (!plan.repeats_without_devices()) return run_as_planned();
  std::string lost;
  try {
    return run_as_planned();
  } catch (const device_lost& failed) {
    lost = failed.what();
  } catch (const out_of_memory& full) {
    lost = full.what();
  }
  run_options without = options;
  without.device = device_choice::cpu;
  auto result = run_and_finish_on<Kinds>(task, from, pool, without, finish);
  if (options.report != nullptr) {
    options.report->degraded = true;
    options.report->notes.push_back(lost + "; the CPU has done the run from its beginning");
  }
  return result;
}

/// Implements run() of duomap.hpp for these kinds of executors.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] auto run_on(const Task& task, const input& from, worker_pool& pool,
                          const run_options& options) {
  return within_memory([&] {
    return run_and_finish_on<Kinds>(task, from, pool, options, [&](auto merged, auto& on) {
      return make_result(task, std::move(merged), on);
    });
  });
}

}  // namespace duomap
