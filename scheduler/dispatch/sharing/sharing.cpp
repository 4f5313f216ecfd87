#include "scheduler/dispatch/sharing/sharing.hpp"

#include "scheduler/dispatch/dispatch_thresholds.hpp"
#include "scheduler/dispatch/sharing/device_start.hpp"
#include "scheduler/dispatch/sharing/give_back_request.hpp"
#include "scheduler/dispatch/sharing/interval_shares.hpp"
#include "scheduler/dispatch/sharing/overdue.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {
namespace {

// As the owner of an interval needs for a grain; what nobody eats from the other end comes first.
constexpr double not_running_seconds = 1e6;

// An executor that is asked to wait asks again after a tenth of what the others need, or of what the run has
// taken so far, within these bounds.
double ask_again(double now, double others_seconds) {
  return now + std::clamp(std::min(others_seconds, now) / 10, dispatch_thresholds::least_claim_seconds,
                          dispatch_thresholds::look_again_seconds);
}

claim wait_for(const finish_estimate& seen, double now) {
  return {claim::what::wait, {}, ask_again(now, seen.soonest), seen.soonest_who};
}

// Packets are as large as they are, until memory runs out.
std::optional<std::uint32_t> most_grains(std::uint32_t grains, sharing_rule rule) {
  const bool packets = rule == sharing_rule::packets || rule == sharing_rule::guided;
  return packets ? std::optional(grains) : std::nullopt;
}

}  // namespace

sharing::sharing(std::uint32_t grains, const std::vector<participant>& who, sharing_options how)
  : how_(std::move(how)),
    all_(who, most_grains(grains, how_.rule)),
    queue_(grains, interval_shares(who, how_), how_.rule == sharing_rule::split),
    ledger_(who.size()),
    beside_(interference_of(who, how_.rule)),
    look_(all_, how_),
    estimates_(all_, beside_),
    contention_(all_, estimates_, look_, beside_, how_),
    sizes_(all_, queue_, estimates_, look_, contention_, how_) {}

bool sharing::starts(unsigned who, double now) {
  executor_state& one = all_[who];
  const std::uint32_t left = queue_.left_for(who);
  const bool needs_no_reason =
      how_.rule != sharing_rule::converging || look_.pools_stand_by(now) || !all_.others_take_part(who);
  const bool yes = left > 0 && (needs_no_reason || worth_starting(one, estimates_.of(who, left, now)));
  // A start that goes on beside the run is asked for again and again.
  if (one.at.load(std::memory_order_relaxed) != executor_stage::starting)
    one.started_at.store(now, std::memory_order_relaxed);
  one.at.store(yes ? executor_stage::starting : executor_stage::declined, std::memory_order_relaxed);
  return yes;
}

void sharing::start_takes(unsigned who, double seconds) noexcept {
  std::atomic<double>& known = all_[who].start_seconds;
  if (seconds < known.load(std::memory_order_relaxed)) known.store(seconds, std::memory_order_relaxed);
}

claim sharing::ask_later(unsigned who, double now) const {
  const std::uint32_t left = queue_.left_for(who);
  return left == 0 ? nothing_left(who, now) : wait_for(estimates_.of(who, left, now), now);
}

void sharing::started(unsigned who, double now) {
  executor_state& one = all_[who];
  const std::lock_guard lock(mutex_);
  // Given up meanwhile.
  if (!one.takes_part()) return;
  one.progressed.store(now, std::memory_order_relaxed);
  one.at.store(executor_stage::ready, std::memory_order_relaxed);
}

bool sharing::takes_turn(unsigned who, bool in, double now) {
  return contention_.takes_turn(who, in, queue_.left_for(who), now);
}

std::optional<double> sharing::beside() const {
  const std::lock_guard lock(mutex_);
  return beside_.best();
}

claim sharing::record(executor_state& one, grain_range grains, double now) const {
  if (!all_.lone_pool() && one.open.fetch_add(grains.size(), std::memory_order_relaxed) == 0)
    one.progressed.store(now, std::memory_order_relaxed);
  return {claim::what::take, grains, now, std::nullopt};
}

claim sharing::next(unsigned who, double now) {
  executor_state& one = all_[who];
  if (!one.takes_part()) return {};
  if (one.is.device) return next_of_device(who, now);
  while (true) {
    const std::uint32_t left = queue_.left_for(who);
    if (left == 0) return nothing_left(who, now);
    const auto grains = sizes_.next(who, left, now);
    if (!grains) return wait_for(estimates_.of(who, left, now), now);
    if (const grain_range taken = take(who, *grains); !taken.empty()) return record(one, taken, now);
  }
}

claim sharing::next_of_device(unsigned who, double now) {
  executor_state& one = all_[who];
  while (true) {
    const std::uint32_t left = queue_.left_for(who);
    if (left == 0) return nothing_left(who, now);
    // Taking and putting on record is one step, so that a thread that sees no free grains also sees which
    // executor has them.
    const std::lock_guard lock(mutex_);
    if (one.is_lost()) return {};
    const auto grains = sizes_.next(who, left, now);
    one.holds_back.store(!grains && !one.trial.over(), std::memory_order_relaxed);
    if (!grains) {
      contention_.device_waits(who);
      return wait_for(estimates_.of(who, left, now), now);
    }
    const grain_range taken = take(who, *grains);
    if (taken.empty()) continue;
    ledger_.claimed(who, taken);
    contention_.device_claimed(who, progress(now));
    return record(one, taken, now);
  }
}

grain_range sharing::take(unsigned who, std::uint32_t grains) {
  return queue_.take(who, grains, [this](unsigned owner) {
    const executor_state& one = all_[owner];
    const double per_grain = one.rate.seconds_per_grain();
    const bool runs = one.at.load(std::memory_order_relaxed) == executor_stage::ready;
    return runs && per_grain > 0 ? per_grain : not_running_seconds;
  });
}

claim sharing::nothing_left(unsigned who, double now) const {
  if (all_.size() == 1) return {};
  const std::lock_guard lock(mutex_);
  if (queue_.free_grains() == 0) {
    if (!ledger_.others_hold(who)) return {};
    if (how_.rule == sharing_rule::converging) request_give_back(all_, ledger_, who, now);
  }
  return {claim::what::wait, {}, now + dispatch_thresholds::look_again_seconds, std::nullopt};
}

contention_control::progress sharing::progress(double now) const noexcept {
  const std::uint32_t free = queue_.free_grains();
  const std::uint64_t others = free + ledger_.grains() + all_.open_in_pools();
  return {.now = now,
          .pool_grains = static_cast<double>(queue_.total()) - static_cast<double>(others),
          .free_grains = free};
}

bool sharing::finished(unsigned who, grain_range grains, double seconds, double now) {
  executor_state& one = all_[who];
  if (all_.lone_pool()) {
    // Only to size its claims: not worth that all workers write to one place after each.
    if (one.rate.samples() < dispatch_thresholds::lone_samples ||
        grains.begin % dispatch_thresholds::lone_samples < grains.size())
      one.rate.add(grains.size(), seconds);
    return true;
  }
  std::unique_lock lock(mutex_, std::defer_lock);
  if (one.is.device) {
    lock.lock();
    if (one.is_lost()) return false;
  }
  one.open.fetch_sub(grains.size(), std::memory_order_relaxed);
  one.progressed.store(now, std::memory_order_relaxed);
  if (!one.is.device) {
    one.rate.add(grains.size(), seconds);
    if (all_.mixed()) contention_.pool_chunk_ended(who, grains.size(), seconds, now);
    return true;
  }
  const bool known = one.trial.over();
  one.trial.ended(grains.size(), seconds, now);
  if (look_.chunk_ended(who, grains, now)) contention_.call_workers();
  // What the first chunks cost once is not what each costs.
  if (!known && one.trial.found()) one.rate.forget();
  one.rate.add(grains.size(), seconds);
  if (all_.mixed() && known) contention_.device_chunk_ended(who, grains.size(), seconds, progress(now));
  return true;
}

bool sharing::pace_is_found(unsigned who) const {
  const std::lock_guard lock(mutex_);
  const executor_state& one = all_[who];
  return !one.is.device || how_.rule != sharing_rule::converging || all_.size() == 1 || one.trial.found();
}

bool sharing::commits(unsigned who, double now) {
  executor_state& one = all_[who];
  const std::lock_guard lock(mutex_);
  if (one.is_lost()) return false;
  one.progressed.store(now, std::memory_order_relaxed);
  one.commits_now.store(true, std::memory_order_relaxed);
  ledger_.commits(who);
  return true;
}

bool sharing::committed(unsigned who) {
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return false;
  ledger_.committed(who);
  all_[who].commits_now.store(false, std::memory_order_relaxed);
  return true;
}

bool sharing::holds_uncommitted(unsigned who) const {
  const std::lock_guard lock(mutex_);
  return ledger_.holds_uncommitted(who);
}

bool sharing::wanted_back(unsigned who) noexcept {
  return all_[who].wanted_back.exchange(false, std::memory_order_relaxed);
}

void sharing::returned(unsigned who, grain_range grains) {
  const std::lock_guard lock(mutex_);
  if (!was_lost(who)) cut_off(who, grains);
}

void sharing::cut_off(unsigned who, grain_range grains) {
  all_[who].open.fetch_sub(grains.size(), std::memory_order_relaxed);
  ledger_.returned(who, grains);
  queue_.give_back(grains);
}

bool sharing::refused(unsigned who, grain_range grains) {
  executor_state& one = all_[who];
  const std::lock_guard lock(mutex_);
  if (one.is_lost()) return false;
  const bool alone = one.open.load(std::memory_order_relaxed) == grains.size();
  cut_off(who, grains);
  const bool goes_on = one.take_less(grains.size(), alone);
  if (!goes_on) queue_.disown(who);
  return goes_on;
}

void sharing::lost(unsigned who) {
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return;
  all_[who].at.store(executor_stage::lost, std::memory_order_relaxed);
  give_all_back(who, true);
}

void sharing::give_all_back(unsigned who, bool committing_too) {
  all_[who].open.store(0, std::memory_order_relaxed);
  for (const grain_range& grains : ledger_.lost(who, committing_too)) queue_.give_back(grains);
  queue_.disown(who);
}

std::optional<unsigned> sharing::overdue(double now) const {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (is_overdue(all_[i], how_, now)) return i;
  }
  return std::nullopt;
}

bool sharing::give_up(unsigned who, double now) {
  const std::lock_guard lock(mutex_);
  if (!is_overdue(all_[who], how_, now)) return false;
  all_[who].at.store(executor_stage::lost, std::memory_order_relaxed);
  return true;
}

bool sharing::given_up(unsigned who, std::uint64_t commits) {
  const std::lock_guard lock(mutex_);
  // A commit may have ended without its worker having said so yet.
  const bool counts = commits > ledger_.commits_of(who);
  give_all_back(who, !counts);
  return counts;
}

bool sharing::complete() const {
  const std::lock_guard lock(mutex_);
  if (queue_.free_grains() > 0) return false;
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (all_[i].open.load(std::memory_order_relaxed) > 0 || ledger_.holds(i)) return false;
  }
  return true;
}

}  // namespace duomap::scheduler
