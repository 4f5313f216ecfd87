// Which engine runs a task, and why. host safe
#pragma once

#include "core/engine_kind.hpp"
#include "core/error.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::gpu {

/// What of a task decides.
struct task_kind {
  std::vector<engine_kind> engines;  ///< that can run it, in the order of the enumeration; none: no GPU can
  bool has_known_keys = false;       ///< dense keys, or none
  bool keeps_values = false;         ///< collect
  bool in_order = false;             ///< a reduction that does not commute
  bool keeps_best = false;           ///< top_k
};

struct engine_choice {
  engine_kind kind;
  std::string reason;  ///< "because ..."
};

template <map_reduce_task Task>
[[nodiscard]] task_kind kind_of() {
  task_kind task{.engines = {},
                 .has_known_keys = !hashed_key<typename Task::key>,
                 .keeps_values = duomap::detail::is_collect<typename Task::reduce>,
                 .in_order = order_matters<Task>,
                 .keeps_best = duomap::detail::is_top_k<typename Task::reduce>};
  for (const auto kind : engine_kinds) {
    if (can_run<Task>(kind)) task.engines.push_back(kind);
  }
  return task;
}

/// "dense", "dense and sort", "dense, reduction-object and sort".
[[nodiscard]] inline std::string list_of(const std::vector<engine_kind>& engines) {
  std::string list;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (i > 0) list += i + 1 == engines.size() ? " and " : ", ";
    list += name(engines[i]);
  }
  return list;
}

/// @throws usage_error when the engine cannot run such a task: it names those that can
inline void require_engine(engine_kind wanted, const task_kind& task) {
  for (const engine_kind one : task.engines) {
    if (one == wanted) return;
  }
  const std::string problem = "the engine " + std::string(name(wanted)) + " cannot run this task; ";
  if (task.engines.empty()) throw usage_error(problem + "no GPU engine can, it runs on the CPU");
  throw usage_error(problem + list_of(task.engines) + " can");
}

/// @throws usage_error when a number of block tables is asked for and the task, or the engine that was asked
/// for, has none
inline void require_block_tables(const task_kind& task, std::optional<engine_kind> wanted) {
  require_engine(engine_kind::reduction_object, task);
  if (task.keeps_best || wanted.value_or(engine_kind::reduction_object) != engine_kind::reduction_object)
    throw usage_error("block tables are those of the reduction-object engine and of tasks with keys");
}

/// The engine that was asked for, or the one that takes the fewest passes over the data.
///
/// No sample of the data is taken for that, because none would change the choice. For keys that hardly
/// repeat, storing and sorting what is emitted could be the faster way, but is not: of 64 MB of words on an
/// H200 the reduction object counted 1000 different ones 1.4 (words of 20 bytes) to 2.6 times (6 bytes) as
/// fast as the sort engine, a million 3 to 4 times, and when all were different 13 to 38 times. How the
/// reduction object goes about it, it decides by a sample (gpu/engines/reduction_object/partitioned/).
/// @throws usage_error as require_engine()
[[nodiscard]] inline engine_choice choose_engine(const task_kind& task, std::optional<engine_kind> wanted) {
  if (wanted) {
    require_engine(*wanted, task);
    return {*wanted, "because it was asked for"};
  }
  if (task.engines.empty()) throw usage_error("no GPU engine can run this task; it runs on the CPU");
  const engine_kind kind = task.engines.front();
  std::string reason;
  switch (kind) {
    case engine_kind::whole_chunk:
      reason = "because the task maps whole chunks";
      break;
    case engine_kind::dense:
      reason = "because its keys are known beforehand";
      break;
    case engine_kind::reduction_object:
      reason = task.keeps_best ? "because only the best values are kept"
                               : "because values of a key may be reduced in any order";
      break;
    case engine_kind::sort:
      reason = task.keeps_values ? "because all values are kept"
               : task.in_order   ? "because values of a key meet in the order of the input"
                                 : "because no other engine can run it";
      break;
  }
  return {kind, reason};
}

}  // namespace duomap::gpu
