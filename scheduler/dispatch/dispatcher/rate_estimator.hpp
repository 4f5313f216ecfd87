// How fast an executor is, as measured so far.
#pragma once

#include "core/config.hpp"
#include "scheduler/dispatch/dispatch_thresholds.hpp"
#include "scheduler/models/grain_model.hpp"
#include "scheduler/models/linear_fit.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// Seconds for a number of grains as one worker of an executor needs them: claim_seconds() +
/// grains * seconds_per_grain(). Begins with a belief and follows what is measured.
///
/// Threads: add() the executor's workers, each after a chunk; the rest any thread. All fields that more than
/// one thread sees are relaxed atomics: they are advice, each is right by itself, and nothing is published
/// through them. When two workers add at once one sample may get lost, which does no harm.
class rate_estimator {
 public:
  /// The model is that of all `workers` together.
  rate_estimator(const grain_model& believed, unsigned workers) noexcept;

  /// One chunk of `grains` grains took a worker `seconds`.
  void add(double grains, double seconds);

  /// What was measured so far counts no more than a belief. Called as add().
  void forget() noexcept;

  /// One worker's seconds; 0 when nothing is known.
  [[nodiscard]] double seconds_per_grain() const noexcept {
    return per_grain_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] double claim_seconds() const noexcept { return per_claim_.load(std::memory_order_relaxed); }

  /// How much longer than expected a chunk may take: the most so far.
  [[nodiscard]] double excess_seconds() const noexcept { return excess_.load(std::memory_order_relaxed); }

  /// Samples so far; 0: only a belief.
  [[nodiscard]] std::uint32_t samples() const noexcept { return samples_.load(std::memory_order_relaxed); }

 private:
  alignas(cache_separation) std::atomic<double> per_grain_;
  std::atomic<double> per_claim_;
  std::atomic<double> excess_{0};
  std::atomic<std::uint32_t> samples_{0};
  double believed_claim_;
  double least_weight_;
  bool one_worker_;
  // The last chunks of an executor with one worker, which alone touches them.
  std::array<timed_chunk, dispatch_thresholds::fitted_chunks> last_;
};

}  // namespace duomap::scheduler
