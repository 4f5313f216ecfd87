// Follows the times of chunks, in which newer ones count more, and fits their fixed cost.
#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>
#include <span>

namespace duomap::scheduler {

rate_estimator::rate_estimator(const grain_model& believed, unsigned workers) noexcept
  : per_grain_(believed.seconds_per_grain * workers),
    per_claim_(believed.claim_seconds),
    believed_claim_(believed.claim_seconds),
    least_weight_(dispatch_thresholds::least_weight / workers),
    one_worker_(workers == 1) {}

void rate_estimator::add(double grains, double seconds) {
  if (!(grains > 0) || !(seconds > 0)) return;
  const std::uint32_t before = samples_.fetch_add(1, std::memory_order_relaxed);
  if (one_worker_) {
    last_[before % last_.size()] = {grains, seconds};
    // The fixed cost shows only if the sizes of chunks differ much, as they do while a device's chunks grow.
    const std::size_t count = std::min<std::size_t>(before + 1, last_.size());
    if (const auto fitted = fit_line(std::span(last_).first(count)))
      per_claim_.store(std::max(fitted->fixed, believed_claim_ / dispatch_thresholds::most_off),
                       std::memory_order_relaxed);
  }
  const double net = without_fixed(seconds, claim_seconds()) / grains;
  const double old = seconds_per_grain();
  // A belief counts as one sample. But it counts nothing if the first measurement says that it is far off.
  const bool replace = old == 0 || (before == 0 && (net > dispatch_thresholds::most_off * old ||
                                                    old > dispatch_thresholds::most_off * net));
  if (!replace) {
    const double excess = seconds - claim_seconds() - grains * old;
    excess_.store(std::max(excess, excess_seconds()), std::memory_order_relaxed);
  }
  const double weight = std::max(1.0 / (before + 2), least_weight_);
  per_grain_.store(replace ? net : old + weight * (net - old), std::memory_order_relaxed);
}

void rate_estimator::forget() noexcept {
  per_claim_.store(believed_claim_, std::memory_order_relaxed);
  excess_.store(0, std::memory_order_relaxed);
  samples_.store(0, std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
