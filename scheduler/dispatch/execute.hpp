// Drives executors until all work is done.
#pragma once

#include "core/executor.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/share_policy.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/models/executor_model.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// The options of a run's map phase.
struct execute_options {
  /// The believed model of each executor; empty: none.
  std::vector<executor_model> models = {};
  share_choice share = {};
  /// The number of a pool's workers that leave their cores to devices at work.
  unsigned idle = 0;
  /// The number of a pool's workers that leave their cores to devices that are being started.
  unsigned reserved = 0;
  /// How long pools are held back, and why (dispatch_options::hold_back_seconds and solo_warm_up).
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// After this time the run starts its devices in any case (dispatch_options::start_after_seconds).
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  /// Whether the loss of a device ends the run, even if others could do its work.
  bool strict = false;
  /// The least times of an overdue device (dispatch_options::late_chunk_seconds and late_commit_seconds).
  double late_chunk_seconds = dispatch_options{}.late_chunk_seconds;
  double late_commit_seconds = dispatch_options{}.late_commit_seconds;
  /// The number of threads that read streams in a run without a pool. 0: the devices' own threads read them.
  unsigned readers = 0;
  /// The memory for blocks that these threads read (chunk_source_options::memory).
  block_memory* memory = nullptr;
  /// dispatch_options::caller_seconds. If the run ends within this time, no other thread is woken.
  double caller_seconds = 0;
  /// Whether to keep the times of each thread's steps.
  bool timeline = false;
  /// Owns the executors and their task, because a thread that hangs in an abandoned executor still uses them.
  /// Without an owner, no executor is abandoned, so the run waits for ever for an executor that hangs.
  std::shared_ptr<void> keeps_alive = nullptr;
};

/// The outcome of a map phase.
struct execution {
  std::vector<executor_report> executors;
  bool woke_pool = false;  ///< whether threads other than the calling one worked for a pool, or could have
  std::vector<timeline_event> timeline;
  std::uint64_t events_dropped = 0;  ///< events that the timeline had no room for
};

/// Runs all executors at once on `all`, and reports each. They take chunks from
/// dispatcher/grain_dispatcher.hpp. The calling thread drives the first pool, and each other executor has a
/// thread of its own.
///
/// A device may fail. Then the others do its uncommitted work, and its report says so. If there are pools,
/// they do all streams: nobody could read a lost device's blocks again, so such a loss ends the run.
/// @throws the first exception of any pool, and of a device when there is nobody to do its work or in a
/// strict run, after all have stopped
execution execute(chunk_source& all, std::span<executor* const> executors, run_control* control,
                  execute_options options = {});

}  // namespace duomap::scheduler
