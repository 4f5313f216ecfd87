// The believed models of all executors of a run.
#pragma once

#include "scheduler/models/executor_model.hpp"

#include <optional>
#include <vector>

namespace duomap::scheduler {

struct believed_models {
  std::optional<executor_model> pool = std::nullopt;  ///< no value: the pool takes no part
  std::vector<executor_model> devices = {};           ///< in the order of the devices
};

}  // namespace duomap::scheduler
