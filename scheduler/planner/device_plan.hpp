// Which devices a run gets, and why not others.
#pragma once

#include "core/error.hpp"
#include "core/job_options.hpp"
#include "scheduler/planner/planner_thresholds.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <span>
#include <string>
#include <string_view>
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

/// The error of a run that demands a device. `problem`: why there is none, as a clause.
[[nodiscard]] device_unavailable no_device_for(const std::string& problem);

/// The error of a split by hand that gives devices a share, where none takes part. `note`: device_plan::note,
/// or nothing.
[[nodiscard]] device_unavailable no_device_for_share(std::string_view note);

/// What `choice` means for a run. Lists devices only for `gpu`, because that alone takes tens of milliseconds
/// and more, or when they are known; starts none. Other runs are given devices unseen: they are asked for
/// beside the run.
/// `automatic` offers devices to runs that they may help; whether one is started is decided during the run
/// (scheduler/dispatch/dispatcher/grain_dispatcher.hpp).
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, std::span<const device_offer> offers,
                                       const run_outlook& outlook,
                                       const planner_thresholds& by = measured_thresholds);

}  // namespace duomap::scheduler
