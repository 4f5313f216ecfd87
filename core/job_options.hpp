// What a caller may ask of a run.
#pragma once

#include "core/engine_kind.hpp"
#include "core/split_policy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

struct run_control;
struct run_report;

/// Where a task may run.
enum class device_choice {
  automatic,  ///< the fastest devices here; the report says why a device was left out
  cpu,
  gpu,  ///< GPUs only; device_unavailable when there is none
  /// Both, or only one if whole runs of this process have shown that it is faster; device_unavailable when
  /// there is no GPU.
  cpu_gpu,
};

/// Settings of one run. The defaults use the whole machine.
struct job_options {
  device_choice device = device_choice::automatic;
  /// The GPUs that may take part, by number (`duomap doctor` lists them); empty: all. One that is not there
  /// is an error where `device` demands GPUs, and else a note of the report.
  std::vector<int> gpus = {};
  /// The engine that GPUs use; none: duomap chooses one for the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// Tables that the warps of a GPU's block share in shared memory, each group of warps its own: 1 to 32, or
  /// 0 for none, so that every emit goes to the table in device memory. For the hash engine;
  /// none: by the task.
  std::optional<unsigned> block_tables = std::nullopt;
  /// CPU threads at most; 0 means all that the process may use (affinity, cgroup quota).
  unsigned threads = 0;
  /// How the input is shared between CPU and GPUs.
  split_choice split = {};
  /// Host memory, in bytes, that the emits of a task that collects may take (core/collect_budget.hpp); 0:
  /// three quarters of what is free when the run begins.
  std::uint64_t collect_bytes = 0;
  /// A GPU that fails ends the run, even if others could do its work: the task may be the cause.
  bool strict = false;
  /// The folder of profiles (scheduler/history/profile_store.hpp) that says how fast the task was in earlier
  /// processes; empty: none, and only this process remembers.
  std::string profiles = {};
  /// Whether the speeds that this run measures are remembered, by this process and in that folder. If it is
  /// false and there is no folder, the run does not use remembered speeds either.
  bool learn = true;
  /// The report gets a timeline of what every thread did.
  bool timeline = false;
  /// Progress out, cancellation in; may be null.
  run_control* control = nullptr;
  /// Filled in when the run has ended well; may be null.
  run_report* report = nullptr;
};

}  // namespace duomap
