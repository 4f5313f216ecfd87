// The report of an iterative job: numbers about its work so far, and the reasons for its decisions.
#pragma once

#include "core/executor_traits.hpp"
#include "core/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// One executor's part of an iterative job.
struct iterative_part {
  std::string name;               ///< "cpu", "gpu 0"
  double planned_share = 0;       ///< share of the data, planned from the first speeds; 0: no plan yet
  double share = 0;               ///< share of the data, in the last step
  std::string reason = {};        ///< why `share` is 0, a part of a sentence; empty when it is not 0
  std::uint64_t steps = 0;        ///< number of steps in which it took part
  double seconds = 0;             ///< time of the last of these steps
  double busy_seconds = 0;        ///< time of all these steps
  std::uint64_t units = 0;        ///< units that it mapped in all steps
  double fixed_seconds = 0;       ///< time of a step that its part of the data does not change
  double seconds_per_unit = 0;    ///< with all workers at work; 0 when not measured
  double start_seconds = 0;       ///< time until the device was ready
  std::uint64_t moved_bytes = 0;  ///< copied to a device to be resident there
  std::uint64_t moves = 0;        ///< number of these copies
  double move_seconds = 0;        ///< time of these copies
  std::string trouble = {};       ///< why it stopped, a sentence; empty if it did not
  executor_kind kind = executor_kind::pool;
};

/// Why a job has started devices, or not yet: the cost of steps without devices, and of a start. In seconds.
struct step_account {
  double start = 0;      ///< cost of starting devices and bringing the data there
  double pool = 0;       ///< cost of the steps without devices
  bool started = false;  ///< devices were started
};

/// Call it for a job that does not know the shares of its last step. Each executor gets its part of the units
/// that all executors mapped in all steps.
inline void share_by_units(std::vector<iterative_part>& parts) {
  double all = 0;
  for (const iterative_part& one : parts) all += static_cast<double>(one.units);
  for (iterative_part& one : parts) one.share = all > 0 ? static_cast<double>(one.units) / all : 0;
}

/// All steps of a job so far. Times are wall-clock seconds.
struct iterative_report {
  std::uint64_t units = 0;     ///< bytes (or indices) of the data
  std::uint64_t steps = 0;     ///< number of steps that have given a result
  double seconds = 0;          ///< time of all steps, with starting and moving
  double step_seconds = 0;     ///< time of the last step, without starting and moving
  double planned_seconds = 0;  ///< time of a step with the planned shares; 0: no plan
  std::uint64_t split_changes = 0;
  /// A device stopped, and other executors did its part of the work. The results are the same.
  bool degraded = false;
  std::vector<iterative_part> parts = {};
  std::vector<std::string> notes = {};  ///< reasons, each a sentence: "no GPU used: ..."
  /// Only for a job that may start devices after its first step.
  std::optional<step_account> account = std::nullopt;
  /// If the caller asked for it: the work of workers and devices in each step. A lane holds some thousand
  /// events; in longer jobs neighbouring events are joined (scheduler/iterative/step_log.hpp).
  std::vector<timeline_event> timeline = {};
};

}  // namespace duomap
