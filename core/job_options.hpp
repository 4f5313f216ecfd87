// What a caller may ask of a run.
#pragma once

#include "core/engine_kind.hpp"

#include <optional>

namespace duomap {

struct run_control;
struct run_report;

/// Where a task may run.
enum class device_choice {
  automatic,  ///< whatever is fastest here; the report says why a device was left out
  cpu,
  gpu,      ///< GPUs only; device_unavailable when there is none
  cpu_gpu,  ///< both; device_unavailable when there is no GPU
};

/// Settings of one run. The defaults use the whole machine.
struct job_options {
  device_choice device = device_choice::automatic;
  /// The engine that GPUs use; none: the one that suits the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// CPU threads at most; 0 means all that the process may use (affinity, cgroup quota).
  unsigned threads = 0;
  /// Progress out, cancellation in; may be null.
  run_control* control = nullptr;
  /// Filled in when the run has ended well; may be null.
  run_report* report = nullptr;
};

}  // namespace duomap
