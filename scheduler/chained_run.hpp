// Runs chained tasks: the result of one task is the input of the next. Programs include it beside duomap.hpp.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/input/source.hpp"
#include "core/record/entries.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/run.hpp"

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// The record format of a task that reads a keyed_result<Task>.
template <class Task>
using entries_for = entries<typename Task::key, typename Task::reduce::value_type>;

/// The input of such a task: the entries of one result, or of several results with the same types.
template <class Format>
struct entry_input {
  input sources;  ///< one for each partition of each result
};

/// Makes a view of the entries of results, without a copy. The results must outlive the view.
template <class First, class... Others>
  requires(std::same_as<entries_for<First>, entries_for<Others>>&&...)
[[nodiscard]] entry_input<entries_for<First>> entries_of(const keyed_result<First>& first,
                                                         const keyed_result<Others>&... others) {
  std::vector<std::unique_ptr<source>> sources;
  const auto add = [&sources](const auto& result) {
    for (const auto& partition : result.reduced().partitions) {
      if (partition.empty()) continue;
      const byte_view slots{reinterpret_cast<const char*>(partition.data()),
                            partition.size() * sizeof(partition.front())};
      sources.push_back(std::move(view_input(slots, "an earlier result").release().front()));
    }
  };
  add(first);
  (add(others), ...);
  return {input(std::move(sources))};
}

namespace scheduler {

/// The options of a chained run. It needs no plan, because only a pool takes part.
[[nodiscard]] std::shared_ptr<const execute_options> chained_how(const run_options& options);

}  // namespace scheduler

/// Does run() over the results of earlier runs, on the pool of these kinds of executors.
template <class Kinds, map_reduce_task Task>
[[nodiscard]] auto run_chained_on(const Task& task, const entry_input<typename Task::format>& from,
                                  worker_pool& pool, const run_options& options) {
  run_report report;
  auto result = within_memory([&] {
    const shared_budget memory = detail::memory_of_run<Kinds>(task, options);
    const std::vector<std::shared_ptr<backend<Task>>> backends{Kinds::pool::make_backend(task, pool, memory)};
    return scheduler::run(task, from.sources, backends, pool, options.control, report,
                          scheduler::chained_how(options).get(), memory);
  });
  if (options.report != nullptr) *options.report = std::move(report);
  return result;
}

/// Runs a task over the results of earlier tasks: run(task, entries_of(result), pool).
///
/// The merge of the earlier run left all entries in host memory, also those that GPUs found. The pool's
/// workers take them partition by partition. So no GPU takes part, and options.device, gpu, share and
/// profiles have no effect.
/// @throws out_of_memory, interrupted, map_failed with map's exception nested, and a duomap::error that map
/// throws
template <class Task, class Format>
[[nodiscard]] auto run(const Task& task, const entry_input<Format>& from, worker_pool& pool,
                       const run_options& options = {}) {
  if constexpr (require_task<Task>()) {
    if constexpr (std::same_as<typename Task::format, Format>) {
      return run_chained_on<registered_kinds>(task, from, pool, options);
    } else {
      static_assert(std::same_as<typename Task::format, Format>,
                    "the task does not read these entries: expected 'using format = "
                    "duomap::entries_for<TASK>', TASK being the one that gave the result");
    }
  }
}

}  // namespace duomap
