// Chooses the engine that runs a task, and gives the reason. host safe
#pragma once

#include "core/engine_kind.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::gpu {

/// The properties of a task that decide the choice.
struct task_kind {
  std::vector<engine_kind>
      engines;  ///< engines that can run it, in the order of the enumeration; none: no GPU can
  bool has_known_keys = false;  ///< the task has dense keys, or no key
  bool keeps_values = false;    ///< the task collects
  bool in_order = false;        ///< the task's reduction does not commute
  bool keeps_best = false;      ///< the task is a top-k task
};

struct engine_choice {
  engine_kind kind;
  std::string reason;  ///< begins with "because"
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

/// "dense", "dense and sort", "dense, hash and sort".
[[nodiscard]] std::string list_of(const std::vector<engine_kind>& engines);

/// @throws usage_error if the engine cannot run this kind of task; the error names the engines that can
void require_engine(engine_kind wanted, const task_kind& task);

/// @throws usage_error if the options ask for block tables, and the task or the wanted engine has none
void require_block_tables(const task_kind& task, std::optional<engine_kind> wanted);

/// Returns the engine that was asked for, or the engine that takes the fewest passes over the data.
///
/// It takes no sample of the data, because a sample would not change the choice: on an H200 the hash engine
/// counted words at least 1.4 times as fast as the sort engine, with any number of different words. The hash
/// engine itself takes a sample (gpu/engines/hash_partitioned/).
/// @throws usage_error as require_engine()
[[nodiscard]] engine_choice choose_engine(const task_kind& task, std::optional<engine_kind> wanted);

}  // namespace duomap::gpu
