// The settings that a caller may give a run.
#pragma once

#include "core/engine_kind.hpp"
#include "core/share_policy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

struct run_control;
struct run_report;

/// The devices on which a task may run.
enum class device_choice {
  automatic,  ///< the fastest devices here; the report says why a device was left out
  cpu,
  gpu,  ///< GPUs only; device_unavailable when there is none
  /// Both, or only one if whole runs of this process have shown that it is faster; device_unavailable when
  /// there is no GPU.
  cpu_gpu,
};

/// Settings for GPUs. They change the speed and never the answer. An iterative job refuses them, because its
/// GPUs have one engine.
struct gpu_settings {
  /// The engine that GPUs use; none: duomap chooses one for the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// Tables that the warps of a GPU's block share in shared memory, each group of warps its own: 1 to 32, or
  /// 0 for none, so that every emit goes to the table in device memory. For the hash engine;
  /// none: by the task.
  std::optional<unsigned> block_tables = std::nullopt;
};

/// Settings of an iterative job alone (scheduler/iterative/iterative_job.hpp). With device_choice::automatic
/// it starts GPUs when the steps on the CPU have cost as much as the start will. It starts them at once if
/// the data is large, or if the task's estimates of a step (cpu_seconds() and gpu_seconds(), over resident
/// data) and `expected` say that the start pays. `cpu_gpu` starts them with the first step. Both leave out an
/// executor that does not help.
struct step_settings {
  /// Estimated number of steps to come, rather too low than too high; 0: not known.
  std::uint32_t expected = 0;
  /// The most steps that can come; 0: not known. No GPU is started for the few that are left.
  std::uint32_t most = 0;
  /// Device memory that the data may take on each GPU, in bytes; 0: all free memory. The CPU does the part of
  /// the data that does not fit.
  std::uint64_t most_resident_bytes = 0;
};

/// Settings of one run, or of an iterative job. An iterative job does not use `memory`, `profiles`, `learn`
/// and `report`: it measures its own steps and has a report of its own. The defaults use the whole machine.
struct run_options {
  device_choice device = device_choice::automatic;
  /// The GPUs that may take part, by number (`duomap doctor` lists them); empty: all. The number of a GPU
  /// that is not there is an error where `device` demands GPUs, and otherwise a note of the report.
  std::vector<int> gpus = {};
  gpu_settings gpu = {};
  /// CPU threads at most; 0 means all that the process may use (affinity, cgroup quota).
  unsigned threads = 0;
  /// The shares of the input that the CPU and GPUs get.
  share_choice share = {};
  /// Host memory, in bytes, that keys, values and rows of the run may take (core/memory_budget.hpp); 0: three
  /// quarters of the memory that the machine, the cgroup and the process's limits leave when the run begins.
  std::uint64_t memory = 0;
  /// If true, a GPU that fails ends the run even if other executors could do its work: for runs in which the
  /// task itself may be the cause of the failure.
  bool strict = false;
  /// The folder of profiles (scheduler/history/profile_store.hpp) that says how fast the task was in earlier
  /// processes; empty: none, and only this process remembers.
  std::string profiles = {};
  /// Whether the speeds that this run measures are remembered, by this process and in that folder. If it is
  /// false and there is no folder, the run does not use remembered speeds either.
  bool learn = true;
  /// The report gets a timeline of every thread's work.
  bool timeline = false;
  /// The run writes its progress there, and reads there whether it is cancelled; may be null.
  run_control* control = nullptr;
  /// The run fills in the report when it has succeeded; may be null.
  run_report* report = nullptr;
  step_settings steps = {};
};

/// The name of run_options in version 0.1. It works for one more version.
using job_options [[deprecated("is called run_options now")]] = run_options;

}  // namespace duomap
