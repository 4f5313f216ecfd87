// Estimates the speed of an executor from its chunks.
#pragma once

#include "core/config.hpp"
#include "scheduler/models/grain_model.hpp"
#include "scheduler/models/linear_fit.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// The time that one worker of an executor needs for some grains: claim_seconds() + grains *
/// seconds_per_grain(). The estimate begins with a belief and follows the measurements.
///
/// Threads: the executor's workers call add() after each chunk; any thread may call the rest. All shared
/// fields are relaxed atomics, because each is only advice, is right by itself, and publishes no other data.
/// If two workers add at once, a sample may get lost, which does no harm.
class rate_estimator {
 public:
  /// `believed`: the model of all `workers` together.
  rate_estimator(const grain_model& believed, unsigned workers) noexcept;

  /// Tells that a worker did a chunk of `grains` grains in `seconds`.
  void add(double grains, double seconds);

  /// Makes the samples so far count no more than a belief. The executor's workers call it, as add().
  void forget() noexcept;

  /// The seconds that one worker takes for a grain; 0 if nothing is known.
  [[nodiscard]] double seconds_per_grain() const noexcept {
    return per_grain_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] double claim_seconds() const noexcept { return per_claim_.load(std::memory_order_relaxed); }

  /// The largest time by which a chunk has exceeded its expected time so far.
  [[nodiscard]] double excess_seconds() const noexcept { return excess_.load(std::memory_order_relaxed); }

  /// The number of samples so far; 0: the rate is only a belief.
  [[nodiscard]] std::uint32_t samples() const noexcept { return samples_.load(std::memory_order_relaxed); }

 private:
  alignas(cache_separation) std::atomic<double> per_grain_;
  std::atomic<double> per_claim_;
  std::atomic<double> excess_{0};
  std::atomic<std::uint32_t> samples_{0};
  double believed_claim_;
  double least_weight_;
  bool one_worker_;
  // The last chunks of an executor with one worker. No other thread touches them.
  std::array<timed_chunk, dispatch_thresholds::fitted_chunks> last_;
};

}  // namespace duomap::scheduler
