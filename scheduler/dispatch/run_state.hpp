// The state that the threads of a run share, and the account of each worker.
#pragma once

#include "core/config.hpp"
#include "core/executor.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "scheduler/dispatch/event_count.hpp"
#include "scheduler/dispatch/event_log.hpp"
#include "scheduler/dispatch/execute.hpp"
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

/// The account of one worker, which only this worker writes. A thread that times a device out also writes the
/// account of its worker, under the mutex.
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
  std::vector<timed_chunk> samples = {};        // the last chunks; sizes are in units
  std::unique_ptr<event_log> events = nullptr;  // for a timeline; needs no mutex
};

/// The outcome of one executor.
struct outcome {
  std::vector<worker_tally> tallies;
  std::exception_ptr failure;  // ends the run
  std::exception_ptr loss;     // ends the run only if no executor is left to do the rest
  std::string trouble;
  // The number of workers that wait. Access is relaxed: a missing or needless notification costs at most the
  // time until workers look again.
  std::atomic<unsigned> waiting{0};
  std::mutex at_input;        // for a device: held while its thread uses the input
  bool ended = false;         // its thread needs nothing any more
  bool holds_blocks = false;  // it has uncommitted blocks of streams, which nobody can read again
  bool abandoned = false;     // given up, because its thread seems to hang
};

/// The state that the threads of a run share. The last owner may be a thread of an abandoned executor. Then
/// the other objects to which the state refers may be gone, except that executor.
struct run_state {
  run_state(chunk_source& todo, std::span<executor* const> all, run_control* progress, execute_options how);

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Makes every worker end after its current chunk. A device's thread calls it through with_input().
  void stop();

  /// Uses the input on the thread of an executor. If the executor is a device that has timed out, the
  /// function does nothing and returns false, because the run may have ended and the input may be gone.
  template <class Use>
  [[nodiscard]] bool with_input(unsigned index, const Use& use) {
    if (!configs[index].device) {
      use();
      return true;
    }
    const std::lock_guard held(outcomes[index].at_input);
    if (shares.has_failed(index)) return false;
    use();
    return true;
  }

  /// Subtracts the uncommitted work of a lost device from its tallies. Called with mutex held.
  void take_back(unsigned index);

  /// Gives a device up if it is still overdue.
  void time_out(unsigned index);

  chunk_source& input;
  const std::vector<executor*> executors;
  run_control* const control;
  const execute_options options;
  const std::vector<executor_config> configs;
  grain_dispatcher shares;
  event_count changes;
  const bool pools;                    ///< whether there are pools
  std::atomic<bool> woke_pool{false};  ///< execution::woke_pool; relaxed, read when all have ended
  /// Access is relaxed: a thread that sees the change late only does a little more work.
  std::atomic<bool> stopped{false};
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::vector<outcome> outcomes;  ///< mutex guards `ended`, `abandoned`, and everything of a device
};

/// The dispatcher's view of the executors of a run. The models in `options` are per unit, but the
/// dispatcher's models are per grain.
[[nodiscard]] std::vector<executor_config> executor_configs_of(const chunk_source& all,
                                                               std::span<executor* const> executors,
                                                               const execute_options& options);

/// The report of an executor, with its measured rate. Called with the run's mutex held.
[[nodiscard]] executor_report report_of(const run_state& run, std::size_t index);

/// The events of all workers since the last call. Called with the run's mutex held.
[[nodiscard]] std::vector<timeline_event> timeline_of(const run_state& run);

/// The number of events of all workers that were dropped, because there was no room.
[[nodiscard]] std::uint64_t events_dropped(const run_state& run);

}  // namespace duomap::scheduler
