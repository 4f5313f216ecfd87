// How a run is to go.
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

/// Grouping holds the emits, their order and the result at the same time.
inline constexpr unsigned copies_when_grouped = 3;

/// What the report says of a device that was still being started when the run ended.
inline constexpr std::string_view over_before_started = "no GPU used: the run was over before it was started";

/// What a task that collects may keep in memory (core/collect_budget.hpp).
struct collect_limit {
  std::uint64_t bytes = 0;
  unsigned copies = 1;
};

struct run_plan {
  bool pools = true;
  std::vector<planned_device> devices;
  bool unlisted = false;        ///< device_plan::unlisted
  bool demanded = false;        ///< the caller wants these used
  std::string if_unasked = {};  ///< what the report says when the run has not asked for these
  believed_models models;
  /// Workers of the pool that leave their cores to devices.
  unsigned idle = 0;
  /// Workers that leave their cores to a start that goes on beside the run (execute_options::reserved).
  unsigned reserved = 0;
  /// dispatch_options::hold_back_seconds and solo_warm_up.
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// dispatch_options::start_after_seconds.
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  std::optional<collect_limit> collects = std::nullopt;
  /// For the report: why there is no device, or why somebody is left out; each a sentence.
  std::vector<std::string> notes;

  /// The run may begin to start devices in the background.
  bool begins_start = false;
  /// What starting a device would bring, when none is started and the choice is automatic.
  std::optional<device_account> account = std::nullopt;

  /// The whole run may be compared with others of its size, and these kinds of executors were chosen for it.
  bool comparable = false;
  executor_set chosen = executor_set::both;
  /// The input is files that are read as streams: the pool maps them, or decompresses for devices.
  bool streams_only = false;
  /// Devices were chosen for streams, which the pool can read from their beginning if they fail.
  bool repeats_without_devices = false;
  std::uint64_t addressable_units = 0;
  std::uint64_t direct_bytes = 0;
};

}  // namespace duomap::scheduler
