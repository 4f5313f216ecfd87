// What the threads of a run share, and what each has done.
#pragma once

#include "core/config.hpp"
#include "core/executor.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/bell.hpp"
#include "scheduler/dispatch/event_log.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/dispatch/plan.hpp"
#include "scheduler/dispatch/sharing/sharing.hpp"
#include "scheduler/dispatch/work.hpp"
#include "scheduler/models/grain_model.hpp"
#include "scheduler/models/linear_fit.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// What one worker has done. Written by that worker; of a device also by who gives it up, under the mutex.
struct alignas(cache_separation) worker_tally {
  std::uint64_t chunks = 0;
  std::uint64_t units = 0;
  std::uint64_t uncommitted_chunks = 0;
  std::uint64_t uncommitted_units = 0;
  double seconds = 0;
  double wait_seconds = 0;
  double start_seconds = 0;
  double commit_seconds = 0;
  double copy_seconds = 0;
  double compute_seconds = 0;
  std::uint64_t refused = 0;
  std::vector<timed_chunk> samples = {};        // of the last chunks; sizes in units
  std::unique_ptr<event_log> events = nullptr;  // when a timeline is wanted; needs no mutex
};

/// What became of an executor.
struct outcome {
  std::vector<worker_tally> tallies;
  std::exception_ptr failure;  // ends the run
  std::exception_ptr loss;     // ends it only if nobody is left
  std::string trouble;
  // Workers that wait. Relaxed: a ring too many or too few costs at most the time until they look again.
  std::atomic<unsigned> waiting{0};
  std::mutex at_input;        // of a device: held while its thread uses the input
  bool ended = false;         // its thread needs nothing any more
  bool holds_blocks = false;  // of streams, which nobody can read again, and has not committed them
  bool abandoned = false;     // its thread may hang
};

/// What the threads of a run share. A thread of an abandoned executor may be the last to hold it: of what it
/// refers to only the executor is then sure to be there.
struct run_state {
  run_state(work& todo, std::span<executor* const> all, run_control* progress, execute_options how);

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Everybody ends after the chunk they are at. Not for threads of devices; see with_input().
  void stop();

  /// Uses the input on the thread of an executor. False, and it is not used, when the executor is a device
  /// that has been given up: the run may have ended without it, and the input may be gone.
  template <class Use>
  [[nodiscard]] bool with_input(unsigned who, const Use& use) {
    if (!crew[who].device) {
      use();
      return true;
    }
    const std::lock_guard held(outcomes[who].at_input);
    if (shares.was_lost(who)) return false;
    use();
    return true;
  }

  /// What a device that is no more had done since its last commit did not happen. Called with mutex held.
  void take_back(unsigned who);

  /// Gives an overdue device up, if it still is overdue.
  void give_up(unsigned who);

  work& input;
  const std::vector<executor*> executors;
  run_control* const control;
  const execute_options options;
  const std::vector<participant> crew;
  const plan planned;
  sharing shares;
  bell changes;
  const bool pools;  ///< whether there are any
  /// Relaxed: who reads it late does a little more.
  std::atomic<bool> stopped{false};
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::vector<outcome> outcomes;  ///< `ended`, `abandoned`, and all of a device's: guarded by mutex
};

/// The executors of a run as the sharing has to know them: what `options` says per unit is per grain there.
[[nodiscard]] std::vector<participant> participants_of(const work& all, std::span<executor* const> executors,
                                                       const execute_options& options);

/// What an executor did, with the medians of what was measured. Called with the run's mutex held.
[[nodiscard]] executor_report report_of(const run_state& run, std::size_t who);

/// What all workers did when, as far as it was not told before. Called with the run's mutex held.
[[nodiscard]] std::vector<timeline_event> timeline_of(const run_state& run);

/// Events of all workers that found no room.
[[nodiscard]] std::uint64_t events_dropped(const run_state& run);

}  // namespace duomap::scheduler
