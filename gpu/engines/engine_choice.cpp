// Chooses a task's engine and gives the reason; refuses engines that cannot run it.
#include "gpu/engines/engine_choice.hpp"

#include "core/error.hpp"

namespace duomap::gpu {

std::string list_of(const std::vector<engine_kind>& engines) {
  std::string list;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (i > 0) list += i + 1 == engines.size() ? " and " : ", ";
    list += name(engines[i]);
  }
  return list;
}

void require_engine(engine_kind wanted, const task_kind& task) {
  for (const engine_kind one : task.engines) {
    if (one == wanted) return;
  }
  const std::string problem = "the engine " + std::string(name(wanted)) + " cannot run this task; ";
  if (task.engines.empty()) throw usage_error(problem + "no GPU engine can, it runs on the CPU");
  throw usage_error(problem + list_of(task.engines) + " can");
}

void require_block_tables(const task_kind& task, std::optional<engine_kind> wanted) {
  require_engine(engine_kind::hash, task);
  if (task.keeps_best || wanted.value_or(engine_kind::hash) != engine_kind::hash)
    throw usage_error("block tables are those of the hash engine and of tasks with keys");
}

engine_choice choose_engine(const task_kind& task, std::optional<engine_kind> wanted) {
  if (wanted) {
    require_engine(*wanted, task);
    return {*wanted, "because it was asked for"};
  }
  if (task.engines.empty()) throw usage_error("no GPU engine can run this task; it runs on the CPU");
  const engine_kind kind = task.engines.front();
  std::string reason;
  switch (kind) {
    case engine_kind::custom:
      reason = "because the task maps whole chunks";
      break;
    case engine_kind::dense:
      reason = "because its keys are known beforehand";
      break;
    case engine_kind::hash:
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
