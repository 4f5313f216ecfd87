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

/// The account of one worker. That worker writes it; for a device the thread that times it out writes, too,
/// under the mutex.
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
  std::unique_ptr<event_log> events = nullptr;  // for a timeline; needs no mutex
};

/// The outcome of one executor.
struct outcome {
  std::vector<worker_tally> tallies;
  std::exception_ptr failure;  // ends the run
  std::exception_ptr loss;     // ends the run only if no executor is left
  std::string trouble;
  // The number of workers that wait. Relaxed: a notification too many or too few costs at most the time until
  // they look again.
  std::atomic<unsigned> waiting{0};
  std::mutex at_input;        // for a device: held while its thread uses the input
  bool ended = false;         // its thread needs nothing any more
  bool holds_blocks = false;  // it has uncommitted blocks of streams, which nobody can read again
  bool abandoned = false;     // its thread may hang
};

/// The shared state of a run's threads. A thread of an abandoned executor may be the last owner: then, of all
/// objects that the state refers to, only the executor is sure to exist.
struct run_state {
  run_state(chunk_source& todo, std::span<executor* const> all, run_control* progress, execute_options how);

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Makes every worker end after its current chunk. Threads of devices call it through with_input().
  void stop();

  /// Uses the input on the thread of an executor. False, without a use, when the executor is a device that
  /// has timed out: the run may have ended without it, and the input may be gone.
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

  /// Takes the uncommitted work of a lost device off its tallies. Called with mutex held.
  void take_back(unsigned index);

  /// Gives a device up, if it still is overdue.
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
  /// Reads and writes are relaxed: a thread that reads it late only does a little more work.
  std::atomic<bool> stopped{false};
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::vector<outcome> outcomes;  ///< `ended`, `abandoned`, and everything of a device: guarded by mutex
};

/// The executors of a run for the dispatcher: the models in `options` are per unit, the dispatcher's are per
/// grain.
[[nodiscard]] std::vector<executor_config> executor_configs_of(const chunk_source& all,
                                                               std::span<executor* const> executors,
                                                               const execute_options& options);

/// The report of an executor, with its measured rate. Called with the run's mutex held.
[[nodiscard]] executor_report report_of(const run_state& run, std::size_t index);

/// The events of all workers since the last call. Called with the run's mutex held.
[[nodiscard]] std::vector<timeline_event> timeline_of(const run_state& run);

/// The number of events of all workers that found no room.
[[nodiscard]] std::uint64_t events_dropped(const run_state& run);

}  // namespace duomap::scheduler
