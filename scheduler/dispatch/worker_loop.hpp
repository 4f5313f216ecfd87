// Drives a worker of an executor from the first chunk to the last commit.
#pragma once

#include "core/executor.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/dispatch/worker_state_machine.hpp"

#include <limits>
#include <string>

namespace duomap::scheduler {

/// One worker's loop: carries out the steps of its state machine with a real executor, and keeps account.
/// Used on the worker's own thread.
class worker_loop {
 public:
  worker_loop(run_state& run, unsigned index, unsigned worker);

  /// Works until no work is left, or until the device is gone and others do its work. A pool's worker takes
  /// no more grains from `until` on. True when no work is left.
  /// @throws every exception of a pool, and the loss of a device when no executor is left for its work or in
  /// a strict run
  bool work_off(double until = forever);

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  // Does the next step; false when the worker is at its end.
  bool go_on();
  void submit(grain_range grains);
  // Submits a chunk. Adds the place in the input to an exception of a pool's map.
  void give(const chunk& part);
  bool start(std::uint64_t count);
  bool submit_block(bool wait);
  void refused(const std::string& why);
  void finish();
  void commit();
  void wait(const step& next, std::uint64_t count);

  // Times a call only if a timeline is wanted: two readings of the clock are a seventh of a claim's cost.
  template <class Call>
  void logged(const char* what, const Call& call, std::uint64_t units = 0);
  // Returns the seconds of a call and adds it to the timeline.
  template <class Call>
  double timed(const char* what, const Call& call, std::uint64_t units = 0);
  // Adds a device's copy and kernel to the timeline.
  void log_chunk(const chunk_report& report);
  // Calls finish(), commit() or prepare(). A device that fails in one of them is gone; an exception of a pool
  // ends the run.
  template <class Call>
  void guarded(const Call& call);
  // Changes the tallies. When a device times out, they belong to the thread that saw it. They must be exact,
  // so they change under the run's mutex, once a chunk. The timeline, a few events a chunk, is not guarded
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
