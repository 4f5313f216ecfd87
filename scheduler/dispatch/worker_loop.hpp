// Drives a worker of an executor from the first chunk to the last commit.
#pragma once

#include "core/executor.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/dispatch/worker_state_machine.hpp"

#include <limits>
#include <string>

namespace duomap::scheduler {

/// The loop of one worker. It carries out the steps of its state machine with a real executor, and keeps
/// account. Only the worker's own thread uses it.
class worker_loop {
 public:
  worker_loop(run_state& run, unsigned index, unsigned worker);

  /// Works until no work is left, or until the device is gone and others do its work. From the time `until`
  /// on, a pool's worker takes no more grains. True: no work is left.
  /// @throws every exception of a pool, and the loss of a device when no executor is left for its work or in
  /// a strict run
  bool work_off(double until = forever);

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  // Does the next step. False: the worker has reached its end.
  bool go_on();
  void submit(grain_range grains);
  // Submits a chunk. If a pool's map throws, the place in the input is added to the exception.
  void give(const chunk& part);
  bool start(std::uint64_t count);
  bool submit_block(bool wait);
  void refused(const std::string& why);
  void finish();
  void commit();
  void wait(const step& next, std::uint64_t count);

  // Times a call if a timeline is wanted. Otherwise it only makes the call, because reading the clock twice
  // costs a seventh of a claim.
  template <class Call>
  void logged(const char* what, const Call& call, std::uint64_t units = 0);
  // Returns the seconds that a call takes, and adds the call to the timeline.
  template <class Call>
  double timed(const char* what, const Call& call, std::uint64_t units = 0);
  // Adds the copy and the kernel of a device's chunk to the timeline.
  void log_chunk(const chunk_report& report);
  // Calls finish(), commit() or prepare(). If a device fails in the call, it is gone. An exception of a pool
  // ends the run.
  template <class Call>
  void guarded(const Call& call);
  // Changes the tallies. If a device times out, its tallies belong to the thread that noticed it. So they
  // change under the run's mutex, once a chunk. The timeline has a few events per chunk and needs no mutex
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
