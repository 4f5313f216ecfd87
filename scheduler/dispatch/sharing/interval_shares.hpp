// How a rule divides the input before the run.
#pragma once

#include "scheduler/dispatch/sharing/participant.hpp"
#include "scheduler/dispatch/sharing/sharing_options.hpp"

#include <vector>

namespace duomap::scheduler {

/// The share of the grains that each executor has as an interval of its own (grain_queue.hpp); 0: none.
/// @throws logic_error when a split has not one share for each executor
[[nodiscard]] std::vector<double> interval_shares(const std::vector<participant>& all,
                                                  const sharing_options& how);

}  // namespace duomap::scheduler
