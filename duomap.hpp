// duomap: run one MapReduce task on all CPU cores and GPUs of a machine. Include this; link duomap::duomap.
// host only
#pragma once

#include "core/collect_budget.hpp"
#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/markup.hpp"
#include "core/record/rows.hpp"
#include "core/record/strips.hpp"
#include "core/record/words.hpp"
#include "core/reduce_fields.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
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
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/run.hpp"

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
/// @throws map_failed, in which what map throws is nested, a duomap::error that map throws, and the others of
/// core/error.hpp; collected_too_much (core/collect_budget.hpp)
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, worker_pool& pool,
                       const job_options& options = {}) {
  if constexpr (require_task<Task>()) return run_on<registered_kinds>(task, from, pool, options);
}

/// The same on as many workers as this machine and the options call for.
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, const job_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads), options);
}

}  // namespace duomap
