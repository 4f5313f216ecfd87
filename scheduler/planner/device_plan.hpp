// Decides which devices a run gets, and says why if it gets none.
#pragma once

#include "core/error.hpp"
#include "core/run_options.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::scheduler {

struct device_plan {
  bool pools = true;
  std::vector<planned_device> devices;  ///< in the order of the offers
  /// Some devices are device_provider::unlisted(). The run decides whether to start them, and lists devices
  /// only then.
  bool unlisted = false;
  /// Why there is no device, as a sentence for the report. It is empty if there is a device, or if none was
  /// wanted.
  std::string note;
};

/// The error of a run that demands a device but cannot get one. `problem`: the reason, as a clause.
[[nodiscard]] device_unavailable no_device_for(const std::string& problem);

/// The error of a split by hand that gives a share to devices, in a run without devices. `note`:
/// device_plan::note, or empty.
[[nodiscard]] device_unavailable no_device_for_share(std::string_view note);

/// Plans the devices of a run by `choice`, and starts none. Listing devices takes tens of milliseconds. So it
/// lists them only if that takes no time, if the pool maps nothing, or if a requested device is not among the
/// unlisted ones. Other runs get unlisted devices, and list them during the run. `automatic` offers devices
/// to runs that they may help. During such a run the dispatcher decides whether a device is started
/// (scheduler/dispatch/dispatcher/grain_dispatcher.hpp).
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, std::span<const device_offer> offers,
                                       const run_outlook& outlook,
                                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
