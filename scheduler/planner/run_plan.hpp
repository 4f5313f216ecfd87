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

/// The report's note when a device was still being started at the end of the run.
inline constexpr std::string_view over_before_started = "no GPU used: the run was over before it was started";

struct run_plan {
  bool pools = true;
  std::vector<planned_device> devices;
  bool unlisted = false;        ///< device_plan::unlisted
  bool demanded = false;        ///< the caller demands these devices
  std::string if_unasked = {};  ///< the report's note when the run has not asked for unlisted devices
  believed_models models;
  /// The number of the pool's workers that leave their cores to devices.
  unsigned idle = 0;
  /// The number of workers that leave their cores to a start beside the run (execute_options::reserved).
  unsigned reserved = 0;
  /// dispatch_options::hold_back_seconds and solo_warm_up.
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// dispatch_options::start_after_seconds.
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  /// Sentences for the report: why there is no device, or why an executor is left out.
  std::vector<std::string> notes;

  /// Whether the run may begin to start devices in the background.
  bool begins_start = false;
  /// The account of a start of devices, when none is started and the choice is automatic.
  std::optional<device_account> account = std::nullopt;

  /// Whether the whole run may be compared with others of its size; `chosen`: the kinds of executors that
  /// were chosen for it.
  bool comparable = false;
  executor_set chosen = executor_set::both;
  /// Whether the input is files that are read as streams: the pool maps them, or decompresses for devices.
  bool streams_only = false;
  /// Whether the planner chose devices for streams, and the pool can read the streams from their beginning if
  /// the devices fail.
  bool repeats_without_devices = false;
  std::uint64_t addressable_units = 0;
  std::uint64_t direct_bytes = 0;
};

}  // namespace duomap::scheduler
