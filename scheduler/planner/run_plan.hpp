// The plan of a run.
#pragma once

#include "core/report.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/planner/believed_models.hpp"
#include "scheduler/planner/device_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::scheduler {

/// The report's note if a device was still being started at the end of the run.
inline constexpr std::string_view over_before_started = "no GPU used: the run was over before it was started";

struct run_plan {
  bool pools = true;
  std::vector<planned_device> devices;
  bool unlisted = false;              ///< some devices are not listed yet (device_plan::unlisted)
  bool demanded = false;              ///< the caller demands these devices
  std::string note_if_unlisted = {};  ///< the report's note if the run has not listed its unlisted devices
  believed_models models;
  /// The number of the pool's workers that leave their cores to devices.
  unsigned idle = 0;
  /// The number of workers that leave their cores to a start in the background (execute_options::reserved).
  unsigned reserved = 0;
  /// How long pools are held back, and why (dispatch_options::hold_back_seconds and solo_warm_up).
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// After this time the run starts its devices in any case (dispatch_options::start_after_seconds).
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  /// Sentences for the report: why there is no device, or why an executor is left out.
  std::vector<std::string> notes;

  /// Whether the run may begin to start devices in the background.
  bool begins_start = false;
  /// The account of starting devices. No value if a device is started, or the choice is not automatic.
  std::optional<device_account> account = std::nullopt;

  /// Whether the time of the whole run may be compared with others of its size. `chosen`: the kinds of
  /// executors that were chosen for the run.
  bool comparable = false;
  executor_set chosen = executor_set::both;
  /// Whether the input is files that are read as streams, which the pool maps or decompresses for devices.
  bool streams_only = false;
  /// Whether the planner chose devices for streams, and the pool can read the streams again from their
  /// beginning if the devices fail.
  bool repeats_without_devices = false;
  std::uint64_t addressable_units = 0;
  std::uint64_t direct_bytes = 0;
};

}  // namespace duomap::scheduler
