// Compares the cost of a device's start with its gain for the rest of the run.
#include "scheduler/dispatch/dispatcher/device_start.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

namespace duomap::scheduler {
namespace {

// Whether the device needs only a short preparation, and no new context.
bool is_quick(const executor_state& device) noexcept {
  return device.start_seconds.load(std::memory_order_relaxed) < measured_thresholds.warm_patience_seconds();
}

// Whether another device has already started.
bool has_another(const executor_table& all, unsigned index) noexcept {
  for (unsigned i = 0; i < all.size(); ++i) {
    if (i != index && all[i].is.device && all[i].at.load(std::memory_order_relaxed) == executor_stage::ready)
      return true;
  }
  return false;
}

}  // namespace

bool waits_for_another_start(const executor_table& all, unsigned index, double now) noexcept {
  const executor_state& own = all[index];
  const double start = own.start_seconds.load(std::memory_order_relaxed);
  if (own.at.load(std::memory_order_relaxed) == executor_stage::starting || is_quick(own)) return false;
  for (unsigned i = 0; i < all.size(); ++i) {
    const executor_state& one = all[i];
    if (i == index || !one.is.device) continue;
    const executor_stage at = one.at.load(std::memory_order_relaxed);
    if (at == executor_stage::starting || (at == executor_stage::cold && i < index)) return true;
    // The first chunk of the other device has not yet taken as long as a start.
    if (at == executor_stage::ready && !(one.rate.seconds_per_grain() > 0) &&
        now - one.progressed.load(std::memory_order_relaxed) < start)
      return true;
  }
  return false;
}

bool worth_starting(const executor_table& all, unsigned index, const finish_estimate& seen) noexcept {
  const executor_state& device = all[index];
  const bool further = has_another(all, index);
  if (!seen.own_known) {
    if (!seen.others_known) return !seen.others_at_work;  // wait: they will be known after their first grain
    // An unknown device is not started if the run would have to wait for its first grain. If another device
    // is known, there is no such test, because devices of one machine are believed to be alike.
    if (!further && dispatch_thresholds::slowest_device * seen.own.seconds_per_grain >
                        dispatch_thresholds::trial_share * seen.level_of_others)
      return false;
  }
  // If the process ends after the run, it waits for the end of one more context.
  const double end = further && !is_quick(device) ? measured_thresholds.machine.context_end_seconds : 0;
  // A device also starts if its start costs next to nothing, even if it is believed to be too slow.
  return device.start_seconds.load(std::memory_order_relaxed) <
             dispatch_thresholds::trial_cost * seen.level_of_others ||
         seen.own_alone_seconds + end < (1 - measured_thresholds.least_gain) * seen.soonest ||
         seen.level + end < (1 - measured_thresholds.least_gain) * seen.level_of_others;
}

}  // namespace duomap::scheduler
