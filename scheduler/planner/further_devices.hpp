// Which devices of a machine with several are left out because one more start does not pay.
#pragma once

#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/planner_thresholds.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// Leaves out devices that are not started, beyond `most` in all and beyond those that have room for `bytes`
/// that stay on them. Adds to `notes` which these are, and when they would take part.
void leave_out_further(std::vector<planned_device>& devices, std::size_t most, std::uint64_t bytes,
                       const start_outlook& known, std::vector<std::string>& notes,
                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
