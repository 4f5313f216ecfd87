// What a caller may ask of an iterative job.
#pragma once

#include "core/job_options.hpp"
#include "core/run_control.hpp"
#include "core/split_policy.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Settings of an iterative job (scheduler/iterative/iterative_job.hpp). The defaults use the whole machine.
struct iterative_options {
  /// `automatic` starts GPUs when the steps on the CPU have cost as much as the start will. It starts them at
  /// once if the data is large, or if the task's estimates of a step (cpu_seconds() and gpu_seconds(), over
  /// resident data) and `expected_steps` say that the start pays. `cpu_gpu` starts them with the first step.
  /// Both leave out an executor that does not help.
  device_choice device = device_choice::automatic;
  /// job_options::gpus.
  std::vector<int> gpus = {};
  /// About how many steps will come, better too few; 0: not known.
  std::uint32_t expected_steps = 0;
  /// Certainly no more will come; 0: not known. No GPU is started for the few that are left.
  std::uint32_t most_steps = 0;
  /// `automatic`, corrected from step to step, or `by_hand`.
  split_choice split = {};
  /// A GPU that fails ends the step with device_lost, even if others could do its part.
  bool strict = false;
  /// Device memory that the data may take on each GPU, in bytes; 0: all that is free. The CPU does the part
  /// of the data that does not fit.
  std::uint64_t most_resident_bytes = 0;
  /// The report gets a timeline: two looks at the clock for each worker and device in each step.
  bool timeline = false;
  /// Progress out: each step adds the units of all data. Cancellation in. May be null.
  run_control* control = nullptr;
};

}  // namespace duomap
