// Decides at each claim whether a worker is throttled, and tells the search about chunks of devices.
#include "scheduler/dispatch/dispatcher/contention_control.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace duomap::scheduler {

contention_search contention_search_of(const std::vector<executor_config>& all, dispatch_rule rule) {
  unsigned workers = 0;
  unsigned idle = 0;
  std::optional<double> remembered;
  bool learns = false;
  for (const executor_config& one : all) {
    if (one.device) {
      learns = learns || !one.model.known() || !one.model.trusted;
    } else {
      workers += one.workers;
      idle += std::min(one.idle, one.workers);
      if (one.model.trusted && one.model.co_run_share) remembered = one.model.co_run_share;
    }
  }
  const bool adapts = rule == dispatch_rule::converging;
  // A number of workers that was good beside measured devices says nothing about unmeasured devices.
  return {workers, idle, adapts && !learns ? remembered : std::nullopt, adapts && learns};
}

contention_control::contention_control(const executor_table& all, const finish_estimator& estimates,
                                       const solo_warm_up& warm_up, contention_search& co_run,
                                       const dispatch_options& how)
  : all_(all),
    estimates_(estimates),
    warm_up_(warm_up),
    measured_(co_run),
    adapts_(how.rule == dispatch_rule::converging),
    hold_back_seconds_(how.hold_back_seconds),
    reserved_(how.reserved),
    each_(all.size()) {}

bool contention_control::may_claim(unsigned pool, bool in, std::uint32_t left, double now) {
  if (!all_.mixed()) return true;
  const executor_state& one = all_[pool];
  const bool held_back = warm_up_.pools_held_back(now);
  bool crowded = all_.devices_at_work(now) && left > one.is.workers;
  if (!held_back && !crowded && measured_.share(now) < 1 &&
      std::any_of(all_.begin(), all_.end(), [&](const auto& each) { return each->begins(now); })) {
    // The pool is here before the device. A pool that is slower than the device alone lets the device begin.
    const finish_estimate seen = estimates_.of(pool, left, now);
    crowded = seen.own_alone_seconds > seen.soonest;
  }
  const unsigned most = held_back ? warm_up_.probes(one)
                        : crowded
                            ? estimates_.workers_in_co_run(one, now)
                            : one.is.workers - std::min(devices_start() ? reserved_ : 0, one.is.workers - 1);
  std::atomic<unsigned>& taking = each_[pool].in;
  unsigned count = taking.load(std::memory_order_relaxed);
  if (in && count > most) {
    while (count > most) {
      if (taking.compare_exchange_weak(count, count - 1, std::memory_order_relaxed)) return false;
    }
  }
  if (!in) {
    while (count < most) {
      if (taking.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    }
  }
  return in;
}

bool contention_control::devices_start() const noexcept {
  return reserved_ > 0 && std::any_of(all_.begin(), all_.end(), [](const auto& one) {
           return one->is_expected_later() && one->start_seconds.load(std::memory_order_relaxed) >
                                                  measured_thresholds.warm_patience_seconds();
         });
}

double contention_control::next_turn(double now) const noexcept {
  double turn = now + dispatch_thresholds::recheck_seconds;
  const auto not_after = [&](double until) {
    if (until > now) turn = std::min(turn, until);
  };
  not_after(warm_up_.ends_at());
  not_after(measured_.solo_until());
  for (const auto& one : all_) {
    if (!one->ramp.over()) not_after(one->ramp.solo_until());
  }
  return turn;
}

void contention_control::device_claimed(unsigned device, const progress& run) {
  const bool at_work = all_.mixed() && all_[device].ramp.over();
  each_[device].was_at_work = at_work;
  if (at_work && !warm_up_.pools_held_back(run.now)) begin(run);
}

void contention_control::device_waits(unsigned device) {
  // The workers are called only once, because otherwise two devices would wake each other for ever.
  if (all_[device].open.load(std::memory_order_relaxed) == 0 &&
      std::exchange(each_[device].was_at_work, false))
    call_workers();
}

// Tells the search that a device of known rate is about to get grains.
void contention_control::begin(const progress& run) {
  contention_search::outlook seen{
      .pool_grains = run.pool_grains, .measured_solo = warm_up_.looks(), .now = run.now};
  double solo_rate = 0;
  for (unsigned i = 0; i < all_.size(); ++i) {
    executor_state& one = all_[i];
    const double per_grain = one.rate.seconds_per_grain();
    if (one.is.device && !warm_up_.saw(i)) seen.measured_solo = false;
    if (one.is.device && one.ramp.over()) {
      seen.open += one.depth.load(std::memory_order_relaxed);
      seen.device_rate += per_grain > 0 ? 1 / per_grain : 0;
      if (warm_up_.saw(i)) {
        const double solo = warm_up_.seconds_per_grain(i);
        one.rate.set_solo_warm_up(solo);
        solo_rate += 1 / solo;
      }
    } else if (!one.is.device && per_grain > 0) {
      seen.pool_rate += one.is.workers / per_grain;
    }
  }
  if (seen.measured_solo) seen.device_rate = solo_rate;
  // A solo measurement of devices may cost at most the least gain. A pool of unknown rate may be held back
  // once more for the time for which it was held back before.
  const double most_seconds = seen.pool_rate > 0
                                  ? measured_thresholds.least_gain * run.free_grains / seen.pool_rate
                                  : hold_back_seconds_;
  measured_.begins(most_seconds, seen);
}

bool contention_control::is_solo(unsigned device, double now) const noexcept {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (i == device) continue;
    if (all_[i].is.device ? all_[i].at_work(now) : each_[i].in.load(std::memory_order_relaxed) > 0)
      return false;
  }
  return true;
}

void contention_control::device_chunk_ended(unsigned device, double grains, double seconds,
                                            const progress& run) {
  executor_state& one = all_[device];
  const bool solo = is_solo(device, run.now);
  if (solo && each_[device].was_solo) one.rate.add_solo(grains, seconds);
  each_[device].was_solo = solo;
  if (!adapts_) return;
  unsigned open = 0;  // the chunks that devices at work may have open
  bool pools_rest = true;
  for (const auto& each : all_) {
    if (each->at_work(run.now)) open += each->depth.load(std::memory_order_relaxed);
    pools_rest = pools_rest && (each->is.device || each->open.load(std::memory_order_relaxed) == 0);
  }
  if (measured_.chunk_ended(device, grains, seconds - one.rate.claim_seconds(),
                            {.now = run.now,
                             .pool_grains = run.pool_grains,
                             .left = static_cast<double>(run.free_grains),
                             .open = open,
                             .pools_rest = pools_rest}))
    call_workers();
}

void contention_control::pool_chunk_ended(unsigned pool, double grains, double seconds, double now) {
  if (!all_.devices_at_work(now)) all_[pool].rate.add_solo(grains, seconds);
}

bool contention_control::explores() const noexcept {
  return measured_.explores() || (warm_up_.looks() && !measured_.begun());
}

}  // namespace duomap::scheduler
