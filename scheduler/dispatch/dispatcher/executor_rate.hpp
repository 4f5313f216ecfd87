// The measured and believed speed of an executor.
#pragma once

#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"
#include "scheduler/models/grain_model.hpp"

#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// The speed of one worker of an executor: its rate beside the others, as measured last (rate_estimator.hpp),
/// and its rate if it had the machine to itself. A decision to leave the rest of a run to one executor rests
/// on the second rate.
///
/// Threads: the executor's workers call add() and add_solo(), each after a chunk; a thread that holds the
/// dispatcher's mutex calls set_solo_warm_up(); any thread may call the rest. Shared numbers are relaxed:
/// each is advice and right by itself.
class executor_rate {
 public:
  /// `believed` is the model of all `workers` together.
  executor_rate(const grain_model& believed, unsigned workers) noexcept;

  /// Seconds of one worker; 0 when nothing is known.
  [[nodiscard]] double seconds_per_grain() const noexcept { return now_.seconds_per_grain(); }
  [[nodiscard]] double claim_seconds() const noexcept { return now_.claim_seconds(); }
  [[nodiscard]] double excess_seconds() const noexcept { return now_.excess_seconds(); }
  /// The number of measured chunks; 0: the rate is only a belief.
  [[nodiscard]] std::uint32_t samples() const noexcept { return now_.samples(); }

  /// seconds_per_grain() if no other executor were at work.
  [[nodiscard]] double solo_per_grain() const noexcept;

  /// Tells that a worker did a chunk of `grains` grains in `seconds`.
  void add(double grains, double seconds) { now_.add(grains, seconds); }
  /// Tells that a worker did a chunk while no other executor was at work.
  void add_solo(double grains, double seconds) { solo_.add(grains, seconds); }
  /// Makes past samples count no more than a belief, because they did not show the rate.
  void forget() noexcept { now_.forget(); }

  /// Seconds per grain of a device in a solo warm-up (solo_warm_up.hpp); 0: there was none.
  [[nodiscard]] double solo_warm_up() const noexcept { return solo_warm_up_.load(std::memory_order_relaxed); }
  void set_solo_warm_up(double seconds_per_grain) noexcept {
    solo_warm_up_.store(seconds_per_grain, std::memory_order_relaxed);
  }

  /// These two functions are for the report of the run.
  [[nodiscard]] const rate_estimator& measured() const noexcept { return now_; }
  [[nodiscard]] const rate_estimator& measured_solo() const noexcept { return solo_; }

 private:
  rate_estimator now_;
  rate_estimator solo_;   // samples while no other executor was at work
  double believed_solo_;  // the believed solo time of a grain, as a part of its time beside others
  std::atomic<double> solo_warm_up_{0};
};

}  // namespace duomap::scheduler
