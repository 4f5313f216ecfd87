// Leaves out some devices of a machine with several, if one more start does not pay.
#pragma once

#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// Leaves out devices that are not started, as soon as `most` devices are kept and they have room for `bytes`
/// of resident data. Adds to `notes` which devices are left out, and when they would take part.
void leave_out_further(std::vector<planned_device>& devices, std::size_t most, std::uint64_t bytes,
                       const start_outlook& known, std::vector<std::string>& notes,
                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
