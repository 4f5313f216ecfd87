// duomap: run one MapReduce task on all CPU cores and GPUs of a machine. Include this; link duomap::duomap.
// host only
#pragma once

#include "core/collect_budget.hpp"
#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/record/entries.hpp"
#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/markup.hpp"
#include "core/record/rows.hpp"
#include "core/record/strips.hpp"
#include "core/record/words.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/sum_fields.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/count.hpp"
#include "core/text/find.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/number.hpp"
#include "cpu/kind.hpp"
#include "cpu/machine_pool.hpp"
#include "gpu/kind.hpp"
#include "gpu/make_backend.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/run_on.hpp"

#include <concepts>
#include <span>

namespace duomap {

/// The kinds of executors that take part in runs: the one place that names them all. Another kind is a folder
/// of its own and its name here.
struct registered_kinds : executor_kinds<cpu::kind, gpu::kind> {};

/// Runs a task over an input and returns its result (core/result.hpp). `pool` (cpu::machine_pool) is the
/// CPU's workers; it can also sort the result afterwards.
///
/// The answer does not depend on devices, threads or where the input is cut: integers are the same
/// everywhere, floating-point sums may differ in rounding, unless the task is a deterministic one
/// (core/deterministic.hpp).
/// @throws usage_error, device_unavailable, input_error, out_of_memory, interrupted (core/error.hpp),
/// collected_too_much (core/collect_budget.hpp), and what map throws
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, worker_pool& pool,
                       const job_options& options = {}) {
  if constexpr (require_task<Task>()) return run_on<registered_kinds>(task, from, pool, options);
}

/// The same on as many workers as this machine, the options and the size of the input call for.
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, const job_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads, from), options);
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

/// Runs a task over the result of earlier ones: run(task, entries_of(result), pool).
///
/// The entries stay in host memory, where the merge of the earlier run left them. The pool's workers take
/// them partition by partition. No GPU takes part, also if options.device asks for one, and options.engine,
/// split and profiles have no effect.
/// @throws out_of_memory, interrupted, and what map throws
template <class Task, class Format>
[[nodiscard]] auto run(const Task& task, const entry_input<Format>& from, worker_pool& pool,
                       const job_options& options = {}) {
  if constexpr (require_task<Task>()) {
    if constexpr (std::same_as<typename Task::format, Format>) {
      return run_chained_on<registered_kinds>(task, from, pool, options);
    } else {
      static_assert(std::same_as<typename Task::format, Format>,
                    "the task does not read these entries: expected `using format = "
                    "duomap::entries_for<TASK>`, TASK being the one that gave the result");
    }
  }
}

}  // namespace duomap
