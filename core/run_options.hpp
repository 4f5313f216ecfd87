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
  /// The CPU and GPUs, or only one kind if whole runs of this process have shown that it is faster. Throws
  /// device_unavailable if there is no GPU.
  cpu_gpu,
};

/// Settings for GPUs. They change the speed, never the answer. Iterative jobs refuse them: they have one
/// engine.
struct gpu_settings {
  /// The engine of the GPUs; nothing: duomap chooses one for the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// For the hash engine: the number of tables in the shared memory of a GPU's block, 1 to 32. Each group of
  /// its warps has one table. With 0 every emit goes to the table in device memory. Nothing: duomap chooses.
  std::optional<unsigned> block_tables = std::nullopt;
};

/// Settings of an iterative job only (scheduler/iterative/iterative_job.hpp). device_choice::cpu_gpu starts
/// GPUs with the first step. device_choice::automatic starts them when the steps on the CPU have cost as much
/// time as the start will. It starts them at once if the data is large, or if the start pays by two
/// estimates: the time of a step (the task's cpu_seconds() and gpu_seconds(), over resident data) and
/// `expected`. Both choices leave out an executor that does not help.
struct step_settings {
  /// The estimated number of steps to come; 0: not known. Too low is better than too high.
  std::uint32_t expected = 0;
  /// The most steps that can come; 0: not known. If few steps are left, no GPU is started.
  std::uint32_t most = 0;
  /// The bytes of device memory for the data on each GPU; 0: all free memory. The rest of the data stays with
  /// the CPU.
  std::uint64_t most_resident_bytes = 0;
};

/// Settings of one run or of an iterative job. By default the whole machine works. An iterative job ignores
/// `memory`, `profiles`, `learn` and `report`: it measures its own steps and has a report of its own.
struct run_options {
  device_choice device = device_choice::automatic;
  /// The numbers of the GPUs that may take part (`duomap doctor` lists them); empty: all. If a GPU is not
  /// there, and `device` demands GPUs, that is an error; otherwise the report gets a note.
  std::vector<int> gpus = {};
  gpu_settings gpu = {};
  /// The most threads of the CPU. 0: all cores that the process may use (affinity, cgroup quota).
  unsigned threads = 0;
  /// How the CPU and the GPUs share the input.
  share_choice share = {};
  /// The most bytes of host memory for keys, values and rows of the run (core/memory_budget.hpp). 0: three
  /// quarters of the memory that is free for the process at the beginning of the run, by the machine, the
  /// cgroup and the process's limits.
  std::uint64_t memory = 0;
  /// If true, a GPU that fails ends the run, even if other executors could do its work. It is for runs in
  /// which the task may be the cause of the failure.
  bool strict = false;
  /// The folder of stored profiles (scheduler/history/profile_store.hpp), which have the task's speeds in
  /// earlier processes. Empty: only this process remembers speeds.
  std::string profiles = {};
  /// Whether this process and the folder `profiles` remember the speeds that this run measures. If it is
  /// false and there is no folder, the run uses no remembered speeds either.
  bool learn = true;
  /// If true, the report gets a timeline of every thread's work.
  bool timeline = false;
  /// The run writes its progress to it, and is cancelled by it. May be null.
  run_control* control = nullptr;
  /// The run fills in this report if it succeeds. May be null.
  run_report* report = nullptr;
  step_settings steps = {};
};

/// The old name of run_options, from version 0.1. It works for one more version.
using job_options [[deprecated("is called run_options now")]] = run_options;

}  // namespace duomap
