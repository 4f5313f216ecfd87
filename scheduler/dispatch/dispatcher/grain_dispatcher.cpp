// Calls the part that decides, with the lock that it needs.
#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"

#include "scheduler/dispatch/dispatcher/device_start.hpp"
#include "scheduler/dispatch/dispatcher/give_back_request.hpp"
#include "scheduler/dispatch/dispatcher/interval_shares.hpp"
#include "scheduler/dispatch/dispatcher/overdue.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {
namespace {

// The seconds per grain of an owner that is not running. It is so high that others take its interval first.
constexpr double not_running_seconds = 1e6;

// The time at which a waiting executor asks again: after a tenth of the time that the others need, or of the
// time that the run has taken so far. Both are kept within bounds.
double ask_again(double now, double others_seconds) {
  return now + std::clamp(std::min(others_seconds, now) / 10, dispatch_thresholds::least_claim_seconds,
                          dispatch_thresholds::recheck_seconds);
}

claim wait_for(const finish_estimate& seen, double now) {
  return {claim::what::wait, {}, ask_again(now, seen.soonest), seen.soonest_index};
}

}  // namespace

grain_dispatcher::grain_dispatcher(std::uint32_t grains, const std::vector<executor_config>& configs,
                                   dispatch_options how)
  : how_(std::move(how)),
    all_(configs),
    queue_(grains, interval_shares(configs, how_), how_.rule == dispatch_rule::split),
    ledger_(configs.size()),
    co_run_(contention_search_of(configs, how_.rule)),
    warm_up_(all_, how_),
    estimates_(all_, co_run_),
    contention_(all_, estimates_, warm_up_, co_run_, how_),
    sizes_(all_, queue_, estimates_, warm_up_, contention_, how_) {}

bool grain_dispatcher::starts(unsigned index, double now) {
  executor_state& one = all_[index];
  const std::uint32_t left = queue_.left_for(index);
  const bool needs_no_reason = how_.rule != dispatch_rule::converging || warm_up_.pools_held_back(now) ||
                               now >= how_.start_after_seconds || !all_.others_take_part(index);
  // The mutex is held for two reasons: only one of several devices is to begin, and a start beside the run,
  // for which a worker asks again and again, may time out meanwhile.
  const std::lock_guard lock(mutex_);
  if (!one.takes_part()) return false;
  const bool yes = left > 0 && !waits_for_another_start(all_, index, now) &&
                   (needs_no_reason || worth_starting(all_, index, estimates_.of(index, left, now)));
  if (one.at.load(std::memory_order_relaxed) != executor_stage::starting) {
    one.started_at.store(now, std::memory_order_relaxed);
    one.start_told_at.store(now, std::memory_order_relaxed);
  }
  one.at.store(yes ? executor_stage::starting : executor_stage::declined, std::memory_order_relaxed);
  return yes;
}

void grain_dispatcher::start_takes(unsigned index, double seconds, double now) noexcept {
  executor_state& one = all_[index];
  if (seconds > one.is.model.start_seconds) return;
  one.start_seconds.store(seconds, std::memory_order_relaxed);
  one.start_told_at.store(now, std::memory_order_relaxed);
}

claim grain_dispatcher::ask_later(unsigned index, double now) const {
  const std::uint32_t left = queue_.left_for(index);
  return left == 0 ? nothing_left(index, now) : wait_for(estimates_.of(index, left, now), now);
}

void grain_dispatcher::started(unsigned index, double now) {
  executor_state& one = all_[index];
  const std::lock_guard lock(mutex_);
  // Another thread may have given the device up meanwhile.
  if (!one.takes_part()) return;
  one.progressed.store(now, std::memory_order_relaxed);
  one.at.store(executor_stage::ready, std::memory_order_relaxed);
}

bool grain_dispatcher::may_claim(unsigned index, bool in, double now) {
  return contention_.may_claim(index, in, queue_.left_for(index), now);
}

std::optional<double> grain_dispatcher::co_run_share() const {
  const std::lock_guard lock(mutex_);
  return co_run_.best();
}

claim grain_dispatcher::record(executor_state& one, grain_range grains, double now) const {
  if (!all_.lone_pool() && one.open.fetch_add(grains.size(), std::memory_order_relaxed) == 0)
    one.progressed.store(now, std::memory_order_relaxed);
  return {claim::what::take, grains, now, std::nullopt};
}

claim grain_dispatcher::next(unsigned index, double now) {
  executor_state& one = all_[index];
  if (!one.takes_part()) return {};
  if (one.is.device) return next_of_device(index, now);
  while (true) {
    const std::uint32_t left = queue_.left_for(index);
    if (left == 0) return nothing_left(index, now);
    const auto grains = sizes_.next(index, left, now);
    if (!grains) return wait_for(estimates_.of(index, left, now), now);
    if (const grain_range taken = take(index, *grains); !taken.empty()) return record(one, taken, now);
  }
}

claim grain_dispatcher::next_of_device(unsigned index, double now) {
  executor_state& one = all_[index];
  while (true) {
    const std::uint32_t left = queue_.left_for(index);
    if (left == 0) return nothing_left(index, now);
    // One locked step takes grains and records them. So a thread that sees no free grains also sees which
    // device has them.
    const std::lock_guard lock(mutex_);
    if (one.has_failed()) return {};
    const auto grains = sizes_.next(index, left, now);
    one.may_leave_rest.store(!grains && !one.ramp.over(), std::memory_order_relaxed);
    if (!grains) {
      contention_.device_waits(index);
      return wait_for(estimates_.of(index, left, now), now);
    }
    const grain_range taken = take(index, *grains);
    if (taken.empty()) continue;
    ledger_.claimed(index, taken);
    contention_.device_claimed(index, progress(now));
    return record(one, taken, now);
  }
}

grain_range grain_dispatcher::take(unsigned index, std::uint32_t grains) {
  return queue_.take(index, grains, [this](unsigned owner) {
    const executor_state& one = all_[owner];
    const double per_grain = one.rate.seconds_per_grain();
    const bool runs = one.at.load(std::memory_order_relaxed) == executor_stage::ready;
    return runs && per_grain > 0 ? per_grain : not_running_seconds;
  });
}

claim grain_dispatcher::nothing_left(unsigned index, double now) const {
  if (all_.size() == 1) return {};
  const std::lock_guard lock(mutex_);
  if (queue_.free_grains() == 0) {
    if (!ledger_.others_hold(index)) return {};
    if (how_.rule == dispatch_rule::converging) request_give_back(all_, ledger_, index, now);
  }
  return {claim::what::wait, {}, now + dispatch_thresholds::recheck_seconds, std::nullopt};
}

contention_control::progress grain_dispatcher::progress(double now) const noexcept {
  const std::uint32_t free = queue_.free_grains();
  const std::uint64_t others = free + ledger_.grains() + all_.open_in_pools();
  return {.now = now,
          .pool_grains = static_cast<double>(queue_.total()) - static_cast<double>(others),
          .free_grains = free};
}

bool grain_dispatcher::finished(unsigned index, grain_range grains, double seconds, double now) {
  executor_state& one = all_[index];
  if (all_.lone_pool()) {
    // The rate only sizes the pool's own claims. Measuring every claim would make all workers write to one
    // place after each claim.
    if (one.rate.samples() < dispatch_thresholds::lone_samples ||
        grains.begin % dispatch_thresholds::lone_samples < grains.size())
      one.rate.add(grains.size(), seconds);
    return true;
  }
  std::unique_lock lock(mutex_, std::defer_lock);
  if (one.is.device) {
    lock.lock();
    if (one.has_failed()) return false;
  }
  one.open.fetch_sub(grains.size(), std::memory_order_relaxed);
  one.progressed.store(now, std::memory_order_relaxed);
  if (!one.is.device) {
    one.rate.add(grains.size(), seconds);
    if (all_.mixed()) contention_.pool_chunk_ended(index, grains.size(), seconds, now);
    return true;
  }
  const bool known = one.ramp.over();
  one.ramp.ended(grains.size(), seconds, now);
  if (warm_up_.chunk_ended(index, grains, now)) contention_.call_workers();
  // The first chunks had costs that come only once, so their samples count no more than a belief.
  if (!known && one.ramp.found()) one.rate.forget();
  one.rate.add(grains.size(), seconds);
  if (all_.mixed() && known) contention_.device_chunk_ended(index, grains.size(), seconds, progress(now));
  return true;
}

void grain_dispatcher::block_call_begins(unsigned index, double now) noexcept {
  all_[index].at_block_since.store(now, std::memory_order_relaxed);
}

void grain_dispatcher::block_call_ends(unsigned index, double now) noexcept {
  executor_state& one = all_[index];
  const double took = now - one.at_block_since.exchange(-1, std::memory_order_relaxed);
  if (took > one.longest_block.load(std::memory_order_relaxed))
    one.longest_block.store(took, std::memory_order_relaxed);
}

bool grain_dispatcher::rate_is_found(unsigned index) const {
  const std::lock_guard lock(mutex_);
  const executor_state& one = all_[index];
  if (!one.is.device || how_.rule != dispatch_rule::converging || all_.size() == 1) return true;
  return one.ramp.found() || (!all_.mixed() && one.is.model.known());
}

bool grain_dispatcher::commits(unsigned index, double now) {
  executor_state& one = all_[index];
  const std::lock_guard lock(mutex_);
  if (one.has_failed()) return false;
  one.progressed.store(now, std::memory_order_relaxed);
  one.commits_now.store(true, std::memory_order_relaxed);
  ledger_.commits(index);
  return true;
}

bool grain_dispatcher::committed(unsigned index) {
  const std::lock_guard lock(mutex_);
  if (has_failed(index)) return false;
  ledger_.committed(index);
  all_[index].commits_now.store(false, std::memory_order_relaxed);
  return true;
}

bool grain_dispatcher::holds_uncommitted(unsigned index) const {
  const std::lock_guard lock(mutex_);
  return ledger_.holds_uncommitted(index);
}

bool grain_dispatcher::wanted_back(unsigned index) noexcept {
  return all_[index].wanted_back.exchange(false, std::memory_order_relaxed);
}

void grain_dispatcher::returned(unsigned index, grain_range grains) {
  const std::lock_guard lock(mutex_);
  if (!has_failed(index)) cut_off(index, grains);
}

void grain_dispatcher::cut_off(unsigned index, grain_range grains) {
  all_[index].open.fetch_sub(grains.size(), std::memory_order_relaxed);
  ledger_.returned(index, grains);
  queue_.give_back(grains);
}

bool grain_dispatcher::refused(unsigned index, grain_range grains) {
  executor_state& one = all_[index];
  const std::lock_guard lock(mutex_);
  if (one.has_failed()) return false;
  const bool solo = one.open.load(std::memory_order_relaxed) == grains.size();
  cut_off(index, grains);
  const bool goes_on = one.take_less(grains.size(), solo);
  if (!goes_on) queue_.disown(index);
  return goes_on;
}

void grain_dispatcher::failed(unsigned index) {
  const std::lock_guard lock(mutex_);
  if (has_failed(index)) return;
  all_[index].at.store(executor_stage::failed, std::memory_order_relaxed);
  give_all_back(index, true);
}

void grain_dispatcher::give_all_back(unsigned index, bool committing_too) {
  all_[index].open.store(0, std::memory_order_relaxed);
  for (const grain_range& grains : ledger_.failed(index, committing_too)) queue_.give_back(grains);
  queue_.disown(index);
}

std::optional<unsigned> grain_dispatcher::overdue(double now) const {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (is_overdue(all_[i], how_, now)) return i;
  }
  return std::nullopt;
}

bool grain_dispatcher::time_out(unsigned index, double now) {
  const std::lock_guard lock(mutex_);
  if (!is_overdue(all_[index], how_, now)) return false;
  all_[index].at.store(executor_stage::failed, std::memory_order_relaxed);
  return true;
}

bool grain_dispatcher::timed_out(unsigned index, std::uint64_t commits) {
  const std::lock_guard lock(mutex_);
  // A commit may have ended although the device's worker has not said so.
  const bool counts = commits > ledger_.commits_of(index);
  give_all_back(index, !counts);
  return counts;
}

bool grain_dispatcher::complete() const {
  const std::lock_guard lock(mutex_);
  if (queue_.free_grains() > 0) return false;
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (all_[i].open.load(std::memory_order_relaxed) > 0 || ledger_.holds(i)) return false;
  }
  return true;
}

}  // namespace duomap::scheduler
