// Chooses the sizes of claims from estimates of the end of the run.
#include "scheduler/dispatch/dispatcher/claim_size.hpp"

#include "scheduler/models/chunk_size.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duomap::scheduler {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

std::uint32_t at_least_one(double grains) { return static_cast<std::uint32_t>(std::clamp(grains, 1.0, 4e9)); }

bool is_of_use(const finish_estimate& seen) noexcept {
  if (seen.own_first > seen.soonest) return false;  // another executor would end the rest sooner
  if (seen.own_alone_seconds <= seen.soonest) return true;
  // The pools may lose more than the device adds, because the device slows them down or they throttle workers
  // for it.
  return seen.level <= seen.level_of_others;
}

}  // namespace

std::optional<std::uint32_t> claim_sizes::next(unsigned index, std::uint32_t left, double now) {
  if (how_.rule == dispatch_rule::converging) return converging(index, left, now);
  const executor_state& one = all_[index];
  const std::uint32_t most = one.most.load(std::memory_order_relaxed);
  return one.is.device ? most : std::min(at_least_one(left / (2.0 * one.is.workers)), most);
}

std::optional<std::uint32_t> claim_sizes::converging(unsigned index, std::uint32_t left, double now) {
  executor_state& one = all_[index];
  if (one.is.device && (all_.size() == 1 || warm_up_.pools_held_back(now))) {
    const auto intervals = static_cast<double>(queue_.intervals());
    return device_part(one, left / intervals, queue_.total() / intervals,
                       std::max(dispatch_thresholds::solo_claim_seconds, one.rate.claim_seconds()));
  }
  if (all_.size() == 1)
    return now < how_.caller_seconds ? caller_part(one, now) : pool_part(one, left, forever);
  const finish_estimate seen = estimates_.of(index, left, now);
  if (one.is.device) return of_device(one, seen, left, now);
  if (seen.own_first > seen.soonest) return std::nullopt;  // another executor would end the rest sooner
  const double share = seen.own.seconds_per_grain > 0 ? share_below(seen.level, seen.own) : left / 2.0;
  return pool_part(one, std::min<double>(share, left), seen.level);
}

std::optional<std::uint32_t> claim_sizes::of_device(executor_state& one, const finish_estimate& seen,
                                                    std::uint32_t left, double now) {
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  // Among devices alone, a device with a believed speed needs no ramp, because its chunks correct the belief.
  const bool among_devices = !all_.mixed();
  const bool known = one.ramp.over() || (among_devices && one.is.model.known());
  const bool useful = known && is_of_use(seen);
  if (!known || (!useful && open == 0)) {
    const double fear = seen.own_known ? 1 : dispatch_thresholds::slowest_device;
    return one.ramp.next({.left = left,
                          .most = one.most.load(std::memory_order_relaxed),
                          .others_seconds = seen.level_of_others,
                          .grain_seconds = fear * seen.own.seconds_per_grain,
                          .claim_seconds = one.rate.claim_seconds(),
                          .open = open,
                          .now = now});
  }
  if (!useful) return std::nullopt;
  // A device gets no second chunk before its first has ended, so that a wrong model spoils only one chunk. In
  // a short run, a device with a trusted model gets two chunks, so that the second copy overlaps with the
  // first computation.
  if (!among_devices && one.rate.samples() == 0 && open > 0 &&
      (seen.level > measured_thresholds.short_run_seconds || !one.is.model.trusted))
    return std::nullopt;
  const double share = std::min<double>(share_below(seen.level, seen.own), left);
  const double least = among_devices ? dispatch_thresholds::solo_claim_seconds : 0;
  return device_part(one, share, share, std::max(least, one.rate.claim_seconds()));
}

std::uint32_t claim_sizes::device_part(const executor_state& one, double share, double of,
                                       double claim_seconds) const noexcept {
  const double per_grain = one.rate.seconds_per_grain();
  const double grains = per_grain > 0
                            ? std::min(share, chunk_size(of, per_grain, claim_seconds))
                            : std::max(share, one.is.most_grains * dispatch_thresholds::unknown_part) *
                                  dispatch_thresholds::unknown_part;
  const std::uint32_t total = queue_.total();
  const std::uint32_t most = contention_.explores()
                                 ? std::max({total / dispatch_thresholds::measured_parts(),
                                             one.is.most_grains / dispatch_thresholds::least_measured, 1U})
                                 : total;
  return std::min({at_least_one(std::ceil(grains)), one.most.load(std::memory_order_relaxed), most});
}

std::uint32_t claim_sizes::pool_part(const executor_state& one, double share, double level) const noexcept {
  const double per_grain = one.rate.seconds_per_grain();
  double grains = share / (2 * one.is.workers);
  // A lone pool has no limit, because no other executor relies on an estimate of its time.
  if (one.is.prefers_adjacent && all_.size() == 1) return at_least_one(grains);
  if (per_grain > 0)
    grains = std::min(grains, std::clamp(level * dispatch_thresholds::pool_claim_share,
                                         dispatch_thresholds::least_claim_seconds,
                                         dispatch_thresholds::pool_claim_seconds) /
                                  per_grain);
  // A pool of unknown rate begins with one grain, to be measured. A lone pool need not be.
  if (per_grain == 0 && all_.size() > 1) grains = 1;
  return std::min(at_least_one(grains), one.most.load(std::memory_order_relaxed));
}

std::uint32_t claim_sizes::caller_part(const executor_state& one, double now) const noexcept {
  if (one.rate.samples() == 0) return 1;
  const double in_time = (how_.caller_seconds - now) / 2 / one.rate.seconds_per_grain();
  return at_least_one(std::min(in_time, queue_.total() * dispatch_thresholds::unknown_part));
}

std::uint32_t claim_sizes::chunk_of_pool(unsigned index) const noexcept {
  const executor_state& one = all_[index];
  const std::uint32_t most = one.most.load(std::memory_order_relaxed);
  const double per_grain = one.rate.seconds_per_grain();
  if (per_grain == 0) return most;
  return std::min(at_least_one(dispatch_thresholds::pool_claim_seconds / per_grain), most);
}

}  // namespace duomap::scheduler
