// What a worker of an executor does from the first chunk to the last commit.
#pragma once

#include "core/executor.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/dispatch/worker_state_machine.hpp"

#include <limits>
#include <string>

namespace duomap::scheduler {

/// One worker's loop: does what its state machine says, with a real executor, and keeps account. Used on the
/// worker's own thread.
class worker_loop {
 public:
  worker_loop(run_state& run, unsigned index, unsigned worker);

  /// Returns when there is nothing left to do, or when the device is gone and others do its work. Pools: from
  /// `until` on the worker takes nothing any more. Whether there is nothing left.
  /// @throws what ends the run: everything a pool throws, and the loss of a device that nobody can stand in
  /// for, or in a strict run
  bool work_off(double until = forever);

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  // False: the worker is at its end.
  bool go_on();
  void submit(grain_range grains);
  // What a pool's map throws gets its place in the input.
  void give(const chunk& part);
  bool start(std::uint64_t count);
  bool submit_block(bool wait);
  void refused(const std::string& why);
  void finish();
  void commit();
  void wait(const step& next, std::uint64_t count);

  // Two readings of the clock are a seventh of what a claim costs: only for the timeline.
  template <class Call>
  void logged(const char* what, const Call& call, std::uint64_t units = 0);
  // The seconds of a call, which the timeline gets too.
  template <class Call>
  double timed(const char* what, const Call& call, std::uint64_t units = 0);
  // Into the timeline.
  void log_chunk(const chunk_report& report);
  // After finish(), commit() and prepare() a device that failed is gone; what a pool throws ends the run.
  template <class Call>
  void guarded(const Call& call);
  // The tallies of a device that timed out belong to the thread that saw it time out: they must be exact, and
  // are changed under the run's mutex, once a chunk. The timeline, a few events a chunk, is not
  // (event_log.hpp).
  template <class Change>
  void account(const Change& change);

  run_state& run_;
  executor& on_;
  unsigned index_;
  unsigned worker_;
  bool device_;
  bool takes_blocks_;
  worker_tally& tally_;
  worker_state_machine state_machine_;
  chunk_source::taker taker_;
};

}  // namespace duomap::scheduler
