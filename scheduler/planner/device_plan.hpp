// Which devices a run gets, and why not others.
#pragma once

#include "core/job_options.hpp"
#include "scheduler/planner/device_offer.hpp"
#include "scheduler/planner/planner_thresholds.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

struct device_plan {
  bool pools = true;
  std::vector<planned_device> devices;  ///< in the order of the offers
  /// Some of them are device_provider::unlisted(): whether they are started, and so whether anybody asks for
  /// the devices, is decided in the run.
  bool unlisted = false;
  /// Why there is no device, as a sentence for the report; empty when there is, or none was wanted.
  std::string note;
};

/// What `choice` means for a run. Lists devices only when the answer depends on them, because that alone
/// takes tens of milliseconds and more; starts none. A run of which nobody knows how long it takes is given
/// the first device unseen: when its first chunks show that a device pays, it is asked for beside the run.
/// `automatic` offers devices to runs that they may help; whether one is started is decided during the run
/// (scheduler/dispatch/dispatcher/grain_dispatcher.hpp).
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, std::span<const device_offer> offers,
                                       const run_outlook& outlook,
                                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
