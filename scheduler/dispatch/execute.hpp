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
  /// dispatch_options::hold_back_seconds and solo_warm_up.
  double hold_back_seconds = 0;
  bool solo_warm_up = false;
  /// dispatch_options::start_after_seconds.
  double start_after_seconds = dispatch_options{}.start_after_seconds;
  /// Whether the loss of a device ends the run, even when others could do its work.
  bool strict = false;
  /// dispatch_options::late_chunk_seconds and late_commit_seconds.
  double late_chunk_seconds = dispatch_options{}.late_chunk_seconds;
  double late_commit_seconds = dispatch_options{}.late_commit_seconds;
  /// The number of threads that read streams in a run without a pool; 0: the devices' own threads read them.
  unsigned readers = 0;
  /// chunk_source_options::memory of these threads.
  block_memory* memory = nullptr;
  /// dispatch_options::caller_seconds. If the run ends within that time, no other thread is woken.
  double caller_seconds = 0;
  /// Whether the times of each thread's steps are kept.
  bool timeline = false;
  /// Owns the executors and their task, because a thread that hangs in an abandoned executor still uses them.
  /// Without it no executor is abandoned: a run waits for ever for one that hangs.
  std::shared_ptr<void> keeps_alive = nullptr;
};

/// The outcome of a map phase.
struct execution {
  std::vector<executor_report> executors;
  bool woke_pool = false;  ///< whether threads other than the caller's worked for a pool, or could
  std::vector<timeline_event> timeline;
  std::uint64_t events_dropped = 0;  ///< events that the timeline had no room for
};

/// Runs all executors at once on `all` and reports each. They take chunks from
/// dispatcher/grain_dispatcher.hpp. The first pool is driven on the calling thread, each other executor on a
/// thread of its own.
///
/// Devices may fail: the others do their uncommitted work, and their report says so. Streams are left to
/// pools when there are any, because nobody could read a lost device's blocks again: such a loss ends the
/// run.
/// @throws the first exception of any pool, and of a device when there is nobody to do its work or in a
/// strict run, after all have stopped
execution execute(chunk_source& all, std::span<executor* const> executors, run_control* control,
                  execute_options options = {});

}  // namespace duomap::scheduler
