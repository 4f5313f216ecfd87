// Measures devices while pools are held back, and releases the pools as soon as every executor is measured.
#include "scheduler/dispatch/dispatcher/solo_warm_up.hpp"

#include "scheduler/models/linear_fit.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>

namespace duomap::scheduler {

void solo_warm_up::undisturbed::add(double ended_grains, double now) {
  if (before < measured_thresholds.few) {
    if (++before == measured_thresholds.few) begin = end = now;
    return;
  }
  end = now;
  grains += ended_grains;
  ++chunks;
}

bool solo_warm_up::pools_held_back(double now) const noexcept {
  return all_.mixed() && now < until_.load(std::memory_order_relaxed) &&
         std::any_of(all_.begin(), all_.end(), [](const auto& one) { return one->is_expected(); });
}

unsigned solo_warm_up::probes(const executor_state& pool) const noexcept {
  if (!looks_ || pool.rate.samples() > 0) return 0;
  return std::max(pool.is.workers - std::min(pool.is.idle, pool.is.workers), 1U);
}

bool solo_warm_up::chunk_ended(unsigned device, grain_range grains, double now) {
  const bool held_back = pools_held_back(now);
  if (held_back) seen_[device].add(grains.size(), now);
  if (!looks_) return false;
  // The ramp ends even if single chunks differ, because several chunks of one size together show the rate.
  calibration_ramp& ramp = all_[device].ramp;
  if (!ramp.over() && saw(device)) ramp.spare(now);
  if (!held_back || !saw_all()) return false;
  until_.store(now, std::memory_order_relaxed);
  return true;
}

bool solo_warm_up::saw_all() const noexcept {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (all_[i].is.device ? !saw(i) : all_[i].rate.samples() == 0) return false;
  }
  return true;
}

double solo_warm_up::seconds_per_grain(unsigned device) const noexcept {
  const undisturbed& seen = seen_[device];
  const double claims = seen.chunks * all_[device].rate.claim_seconds();
  return without_fixed(seen.end - seen.begin, claims) / seen.grains;
}

}  // namespace duomap::scheduler
