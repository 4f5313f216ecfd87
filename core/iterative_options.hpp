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
  /// `automatic` starts GPUs when the steps on the CPU have cost as much as starting them will, or at once
  /// when the data is large, or when the task says what steps take (cpu_seconds() and gpu_seconds(), here of
  /// one over data that is where it stays) and `expected_steps` pay for it; `cpu_gpu` starts them with the
  /// first step. Both leave out an executor that does not help.
  device_choice device = device_choice::automatic;
  /// job_options::gpus.
  std::vector<int> gpus = {};
  /// About how many steps will come, better too few; 0: not known.
  std::uint32_t expected_steps = 0;
  /// `automatic`, corrected from step to step, or `by_hand`.
  split_choice split = {};
  /// A GPU that is lost ends the step with device_lost, even though the others could do its part.
  bool strict = false;
  /// Device memory that the data may take on each GPU, in bytes; 0: what is free. What does not fit stays
  /// with the CPU.
  std::uint64_t most_resident_bytes = 0;
  /// Cancellation in; may be null.
  run_control* control = nullptr;
};

}  // namespace duomap
