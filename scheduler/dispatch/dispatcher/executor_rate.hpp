// The measured and believed speed of an executor.
#pragma once

#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"
#include "scheduler/models/grain_model.hpp"

#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// Two speeds of one worker of an executor: its latest rate beside the other executors (rate_estimator.hpp),
/// and its rate if the executor had the machine to itself. The second rate decides whether the rest of a run
/// is left to one executor.
///
/// Threads: the executor's workers call add() and add_solo() after each chunk. A thread that holds the
/// dispatcher's mutex calls set_solo_warm_up(). Any thread may call the rest. The shared numbers are relaxed,
/// because each is only advice and right by itself.
class executor_rate {
 public:
  /// `believed`: the model of all `workers` together.
  executor_rate(const grain_model& believed, unsigned workers) noexcept;

  /// The seconds that one worker takes for a grain; 0 if nothing is known.
  [[nodiscard]] double seconds_per_grain() const noexcept { return now_.seconds_per_grain(); }
  [[nodiscard]] double claim_seconds() const noexcept { return now_.claim_seconds(); }
  [[nodiscard]] double excess_seconds() const noexcept { return now_.excess_seconds(); }
  /// The number of measured chunks; 0: the rate is only a belief.
  [[nodiscard]] std::uint32_t samples() const noexcept { return now_.samples(); }

  /// seconds_per_grain() as it would be without other executors.
  [[nodiscard]] double solo_per_grain() const noexcept;

  /// Tells that a worker did a chunk of `grains` grains in `seconds`.
  void add(double grains, double seconds) { now_.add(grains, seconds); }
  /// Tells that a worker did a chunk while no other executor was at work.
  void add_solo(double grains, double seconds) { solo_.add(grains, seconds); }
  /// Makes the samples so far count no more than a belief, because they did not show the rate.
  void forget() noexcept { now_.forget(); }

  /// The seconds per grain of a device in a solo warm-up (solo_warm_up.hpp); 0 if there was none.
  [[nodiscard]] double solo_warm_up() const noexcept { return solo_warm_up_.load(std::memory_order_relaxed); }
  void set_solo_warm_up(double seconds_per_grain) noexcept {
    solo_warm_up_.store(seconds_per_grain, std::memory_order_relaxed);
  }

  /// These two functions are for the run's report.
  [[nodiscard]] const rate_estimator& measured() const noexcept { return now_; }
  [[nodiscard]] const rate_estimator& measured_solo() const noexcept { return solo_; }

 private:
  rate_estimator now_;
  rate_estimator solo_;   // samples while no other executor was at work
  double believed_solo_;  // the believed solo time of a grain, divided by its time beside others
  std::atomic<double> solo_warm_up_{0};
};

}  // namespace duomap::scheduler
