#include "scheduler/dispatch/sharing/first_look.hpp"

#include "scheduler/planner/planner_thresholds.hpp"

#include <algorithm>

namespace duomap::scheduler {

void first_look::undisturbed::add(double ended_grains, double now) {
  if (before < measured_thresholds.few) {
    if (++before == measured_thresholds.few) begin = end = now;
    return;
  }
  end = now;
  grains += ended_grains;
  ++chunks;
}

bool first_look::pools_stand_by(double now) const noexcept {
  return all_.mixed() && now < until_.load(std::memory_order_relaxed) &&
         std::any_of(all_.begin(), all_.end(), [](const auto& one) { return one->is_expected(); });
}

unsigned first_look::probes(const executor_state& pool) const noexcept {
  if (!looks_ || pool.rate.samples() > 0) return 0;
  return std::max(pool.is.workers - std::min(pool.is.idle, pool.is.workers), 1U);
}

bool first_look::chunk_ended(unsigned device, grain_range grains, double now) {
  const bool stands_by = pools_stand_by(now);
  if (stands_by) seen_[device].add(grains.size(), now);
  if (!looks_) return false;
  // Chunks of one size need not take the same time; what several took together says enough.
  device_trial& trial = all_[device].trial;
  if (!trial.over() && saw(device)) trial.spare(now);
  if (!stands_by || !saw_all()) return false;
  until_.store(now, std::memory_order_relaxed);
  return true;
}

bool first_look::saw_all() const noexcept {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (all_[i].is.device ? !saw(i) : all_[i].rate.samples() == 0) return false;
  }
  return true;
}

double first_look::seconds_per_grain(unsigned device) const noexcept {
  const undisturbed& seen = seen_[device];
  const double claims = seen.chunks * all_[device].rate.claim_seconds();
  const double seconds = seen.end - seen.begin;
  return std::max(seconds - claims, seconds / 10) / seen.grains;
}

}  // namespace duomap::scheduler
