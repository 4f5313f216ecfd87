// What is known of an executor's speed.
#pragma once

#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"
#include "scheduler/models/grain_model.hpp"

#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// How fast one worker of an executor is: beside the others, as measured last (rate_estimator.hpp), and how
/// fast it would be with the machine to itself. The second is what a decision to leave the rest of a run to
/// one executor rests on.
///
/// Threads: add() and add_solo() the executor's workers, each after a chunk; set_solo_warm_up() a thread
/// that holds the dispatcher's mutex; the rest any thread. All that several threads see is relaxed: each
/// number is advice and right by itself.
class executor_rate {
 public:
  /// The model is that of all `workers` together.
  executor_rate(const grain_model& believed, unsigned workers) noexcept;

  /// One worker's seconds; 0 when nothing is known.
  [[nodiscard]] double seconds_per_grain() const noexcept { return now_.seconds_per_grain(); }
  [[nodiscard]] double claim_seconds() const noexcept { return now_.claim_seconds(); }
  [[nodiscard]] double excess_seconds() const noexcept { return now_.excess_seconds(); }
  /// Chunks that were measured; 0: only a belief.
  [[nodiscard]] std::uint32_t samples() const noexcept { return now_.samples(); }

  /// As seconds_per_grain(), were the others not at work.
  [[nodiscard]] double solo_per_grain() const noexcept;

  /// One chunk of `grains` grains took a worker `seconds`.
  void add(double grains, double seconds) { now_.add(grains, seconds); }
  /// No other executor was at work meanwhile.
  void add_solo(double grains, double seconds) { solo_.add(grains, seconds); }
  /// What was measured so far counts no more than a belief: it was not the rate.
  void forget() noexcept { now_.forget(); }

  /// Seconds per grain of a device in a solo warm-up (solo_warm_up.hpp); 0: there was none.
  [[nodiscard]] double solo_warm_up() const noexcept { return solo_warm_up_.load(std::memory_order_relaxed); }
  void set_solo_warm_up(double seconds_per_grain) noexcept {
    solo_warm_up_.store(seconds_per_grain, std::memory_order_relaxed);
  }

  /// For the report of the run.
  [[nodiscard]] const rate_estimator& measured() const noexcept { return now_; }
  [[nodiscard]] const rate_estimator& measured_solo() const noexcept { return solo_; }

 private:
  rate_estimator now_;
  rate_estimator solo_;   // of what was done while no other executor was at work
  double believed_solo_;  // of what it takes beside others, the part that it is believed to take alone
  std::atomic<double> solo_warm_up_{0};
};

}  // namespace duomap::scheduler
