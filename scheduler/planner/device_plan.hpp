// Decides which devices a run gets, and gives the reason when it gets none.
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
  /// Some devices are device_provider::unlisted(): the run decides whether they are started, and so whether
  /// anybody asks for them.
  bool unlisted = false;
  /// The reason why there is no device, as a sentence for the report; empty when there is one, or none was
  /// wanted.
  std::string note;
};

/// The error of a run that demands a device. `problem`: the reason why there is none, as a clause.
[[nodiscard]] device_unavailable no_device_for(const std::string& problem);

/// The error of a split by hand that gives devices a share in a run without devices. `note`:
/// device_plan::note, or nothing.
[[nodiscard]] device_unavailable no_device_for_share(std::string_view note);

/// Plans the devices of a run by `choice`. It starts no devices. Listing devices takes tens of milliseconds,
/// so it lists them only when that is free, when the pool maps nothing, or when a requested device is not
/// among the unlisted ones. Other runs get unlisted devices, and ask for them during the run. `automatic`
/// offers devices to runs that they may help; the dispatcher decides during the run whether one is started
/// (scheduler/dispatch/dispatcher/grain_dispatcher.hpp).
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, std::span<const device_offer> offers,
                                       const run_outlook& outlook,
                                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
