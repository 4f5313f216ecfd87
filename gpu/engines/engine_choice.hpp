// Which engine runs a task, and why. host safe
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

/// "dense", "dense and sort", "dense, hash and sort".
[[nodiscard]] std::string list_of(const std::vector<engine_kind>& engines);

/// @throws usage_error when the engine cannot run such a task: it names those that can
void require_engine(engine_kind wanted, const task_kind& task);

/// @throws usage_error when a number of block tables is asked for and the task, or the engine that was asked
/// for, has none
void require_block_tables(const task_kind& task, std::optional<engine_kind> wanted);

/// The engine that was asked for, or the one that takes the fewest passes over the data.
///
/// No sample of the data is taken, because none would change the choice: on an H200 the hash engine counted
/// words at least 1.4 times as fast as the sort engine, with any number of different words. The hash engine
/// itself takes a sample (gpu/engines/hash_partitioned/).
/// @throws usage_error as require_engine()
[[nodiscard]] engine_choice choose_engine(const task_kind& task, std::optional<engine_kind> wanted);

}  // namespace duomap::gpu
