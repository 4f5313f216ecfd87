// Drives executors until all work is done.
#pragma once

#include "core/executor.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/split_policy.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/models/executor_model.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// How a run is to go.
struct execute_options {
  /// What is believed of each executor; empty: nothing.
  std::vector<executor_model> models = {};
  split_choice split = {};
  /// Workers of a pool that leave their cores to devices, while those are at work.
  unsigned idle = 0;
  /// Workers of a pool that leave their cores to the start of devices, as long as that goes on.
  unsigned reserved = 0;
  /// dispatch_options::hold_back_seconds and solo_warm_up.
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// dispatch_options::start_after_seconds.
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  /// A device that is lost ends the run, even when others could do its work.
  bool strict = false;
  /// dispatch_options::late_chunk_seconds and late_commit_seconds.
  double late_chunk_seconds = dispatch_options{}.late_chunk_seconds;
  double late_commit_seconds = dispatch_options{}.late_commit_seconds;
  /// Threads that read streams where no pool does; 0: the devices' own threads read them.
  unsigned readers = 0;
  /// chunk_source_options::memory of these.
  block_memory* memory = nullptr;
  /// dispatch_options::caller_seconds. If that is enough, no other thread is woken.
  double caller_seconds = 0;
  /// Keep what each thread did when.
  bool timeline = false;
  /// What executors need (themselves, their task): a thread that hangs in an abandoned one keeps it alive.
  /// Without it, no executor is abandoned: a run waits for ever for one that hangs.
  std::shared_ptr<void> keeps_alive = nullptr;
};

/// What a run was planned to be, and was.
struct execution {
  std::vector<executor_report> executors;
  bool woke_pool = false;      ///< other threads than the caller's did work of a pool, or could
  double planned_seconds = 0;  ///< run_report::planned_seconds
  std::vector<timeline_event> timeline;
  std::uint64_t events_dropped = 0;  ///< that the timeline had no room for
};

/// Runs all executors at once on `all` and tells what each did. They take chunks as
/// dispatcher/grain_dispatcher.hpp says. The first pool is driven on the calling thread, each other executor
/// on a thread of its own.
///
/// Devices may fail: what they had not committed is done by the others, and their report says so. Streams are
/// left to pools when there are any, because what a lost device had of them could not be read again: such a
/// loss ends the run.
/// @throws the first exception of any pool, and of a device when there is nobody to do its work or in a
/// strict run, after all have stopped
execution execute(chunk_source& all, std::span<executor* const> executors, run_control* control,
                  execute_options options = {});

}  // namespace duomap::scheduler
