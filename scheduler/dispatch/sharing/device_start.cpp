#include "scheduler/dispatch/sharing/device_start.hpp"

namespace duomap::scheduler {
namespace {

// A device of unknown speed is tried when its first grain, were it as slow as is feared, would be done in a
// part of the time that the others need for the rest: the run does not wait for it.
constexpr double trial_share = 0.25;
// One that is believed to be too slow, when starting it takes that part of the time that they need.
constexpr double cheap_start = 0.005;

}  // namespace

bool worth_starting(const executor_state& device, const finish_estimate& seen) noexcept {
  if (!seen.own_known) {
    if (!seen.others_known) return !seen.others_at_work;  // they will be known after their first grain
    if (slowest_device * seen.own.seconds_per_grain > trial_share * seen.level_without) return false;
  }
  return device.start_seconds.load(std::memory_order_relaxed) < cheap_start * seen.level_without ||
         seen.own_alone < (1 - least_outlook_gain) * seen.soonest ||
         seen.level < (1 - least_outlook_gain) * seen.level_without;
}

}  // namespace duomap::scheduler
