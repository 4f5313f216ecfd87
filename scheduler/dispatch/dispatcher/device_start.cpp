#include "scheduler/dispatch/dispatcher/device_start.hpp"

#include "scheduler/dispatch/dispatch_thresholds.hpp"
#include "scheduler/planner/planner_thresholds.hpp"

namespace duomap::scheduler {

bool worth_starting(const executor_state& device, const finish_estimate& seen) noexcept {
  if (!seen.own_known) {
    if (!seen.others_known) return !seen.others_at_work;  // they will be known after their first grain
    // The run does not wait for it.
    if (dispatch_thresholds::slowest_device * seen.own.seconds_per_grain >
        dispatch_thresholds::trial_share * seen.level_without)
      return false;
  }
  // Also one that is believed to be too slow, when its start costs next to nothing.
  return device.start_seconds.load(std::memory_order_relaxed) <
             dispatch_thresholds::trial_cost * seen.level_without ||
         seen.own_solo < (1 - measured_thresholds.least_gain) * seen.soonest ||
         seen.level < (1 - measured_thresholds.least_gain) * seen.level_without;
}

}  // namespace duomap::scheduler
