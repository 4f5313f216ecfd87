// duomap: run one MapReduce task on all CPU cores and GPUs of a machine. Include this file; link
// duomap::duomap.
// host only
#pragma once

// These checks come before all includes. Without them the headers would fail with other messages, or Qt's
// macro `emit` would silently remove the emits.
#if __cplusplus <= 201703L
#error "duomap needs C++20: compile with -std=c++20"
#endif
#if defined(_GLIBCXX_DEBUG)
#error "duomap's libraries do not fit _GLIBCXX_DEBUG (other containers): use _GLIBCXX_ASSERTIONS"
#endif
#if defined(emit)
#error "emit is a macro here, as in Qt, and would remove each emit of a task: use -DQT_NO_KEYWORDS"
#endif

#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/memory_budget.hpp"
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
#include "core/run_options.hpp"
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

/// The kinds of executors that take part in runs. To add a kind, write its folder and name it here only.
struct registered_kinds : executor_kinds<cpu::kind, gpu::kind> {};

/// Runs a task over an input and returns its result (core/result.hpp). `pool` (cpu::machine_pool) has the
/// CPU's workers. The caller can use the pool to sort the result afterwards.
///
/// The answer does not depend on the devices, the number of threads, or the places where the input is cut.
/// Integers are always the same. Floating-point sums may differ in rounding, unless the task is deterministic
/// (core/deterministic.hpp).
/// @throws map_failed when map throws, with map's exception nested in it; a duomap::error that map throws
/// keeps its type. Also the other errors of core/error.hpp, and memory_exceeded (core/memory_budget.hpp)
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, worker_pool& pool,
                       const run_options& options = {}) {
  if constexpr (require_task<Task>()) return run_on<registered_kinds>(task, from, pool, options);
}

/// Runs the task on the machine's own pool. The machine and `options` decide the number of its workers.
template <class Task>
[[nodiscard]] auto run(const Task& task, const input& from, const run_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads), options);
}

}  // namespace duomap
