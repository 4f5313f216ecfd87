// Divides the input into intervals before the run.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_config.hpp"

#include <vector>

namespace duomap::scheduler {

/// For each executor, its own interval as a share of all grains (grain_queue.hpp); 0: it has no interval.
/// @throws logic_error when a split does not have one share for each executor
[[nodiscard]] std::vector<double> interval_shares(const std::vector<executor_config>& all,
                                                  const dispatch_options& how);

}  // namespace duomap::scheduler
