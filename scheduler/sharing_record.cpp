// What became of claims: finished, committed, given back, lost.
#include "core/error.hpp"
#include "scheduler/sharing.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {
namespace {

// See sharing_options::late_chunk_seconds.
constexpr double late_factor = 10;

// Of a pool alone so many claims are measured, and then those that hold a grain whose number is a multiple of
// that: a quarter of them.
constexpr std::uint32_t lone_samples = 64;

}  // namespace

bool sharing::finished(unsigned who, grain_range grains, double seconds, double now) {
  standing& one = *all_[who];
  if (lone_pool_) {
    // Only to size its claims: not worth that all workers write to one place after each.
    if (one.speed.samples() < lone_samples || grains.begin % lone_samples < grains.size())
      one.speed.add(grains.size(), seconds);
    return true;
  }
  std::unique_lock lock(mutex_, std::defer_lock);
  if (one.is.device) {
    lock.lock();
    if (was_lost(who)) return false;
  }
  one.open.fetch_sub(grains.size(), std::memory_order_relaxed);
  one.progressed.store(now, std::memory_order_relaxed);
  const bool known = !one.is.device || one.trial.over();
  if (one.is.device) {
    one.trial.ended(grains.size(), seconds, now);
    const bool stands_by = pools_stand_by(now);
    if (stands_by) one.stood_by.add(grains.size(), now);
    // Chunks of one size need not take the same time; what several took together says enough.
    if (how_.first_look && !one.trial.over() && one.stood_by.chunks >= least_alone) one.trial.spare(now);
    if (how_.first_look && stands_by) end_look_if_seen(now);
    // What the first chunks cost once is not what each costs.
    if (!known && one.trial.found()) one.speed.forget();
  }
  one.speed.add(grains.size(), seconds);
  if (mixed_ && known) note_chunk(who, grains, seconds, now);
  return true;
}

// Who was alone, and what all do together. Of a device called with mutex_ held.
void sharing::note_chunk(unsigned who, grain_range grains, double seconds, double now) {
  standing& one = *all_[who];
  if (!one.is.device) {
    if (!devices_at_work(now)) one.alone.add(grains.size(), seconds);
    return;
  }
  unsigned open = 0;  // chunks at most
  bool alone = true;
  bool pools_rest = true;
  for (const auto& each : all_) {
    if (each->is.device && at_work(*each, now)) open += each->depth.load(std::memory_order_relaxed);
    pools_rest = pools_rest && (each->is.device || each->open.load(std::memory_order_relaxed) == 0);
    alone =
        alone && (each.get() == &one ||
                  (each->is.device ? !at_work(*each, now) : each->in.load(std::memory_order_relaxed) == 0));
  }
  if (alone && one.was_alone) one.alone.add(grains.size(), seconds);
  one.was_alone = alone;
  if (how_.rule != sharing_rule::converging) return;
  if (beside_.chunk_ended(who, grains.size(), seconds - one.speed.claim_seconds(),
                          {.now = now,
                           .pool_grains = pool_grains(),
                           .left = static_cast<double>(free_grains()),
                           .open = open,
                           .pools_rest = pools_rest}))
    calls_workers_.store(true, std::memory_order_relaxed);
}

bool sharing::pace_is_found(unsigned who) const {
  const std::lock_guard lock(mutex_);
  const standing& one = *all_[who];
  return !one.is.device || how_.rule != sharing_rule::converging || all_.size() == 1 || one.trial.found();
}

bool sharing::commits(unsigned who, double now) {
  standing& one = *all_[who];
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return false;
  one.progressed.store(now, std::memory_order_relaxed);
  one.commits_now.store(true, std::memory_order_relaxed);
  one.committing = std::move(one.uncommitted);
  one.uncommitted.clear();
  return true;
}

bool sharing::committed(unsigned who) {
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return false;
  all_[who]->committing.clear();
  all_[who]->commits_now.store(false, std::memory_order_relaxed);
  ++all_[who]->commits;
  return true;
}

bool sharing::holds_uncommitted(unsigned who) const {
  const std::lock_guard lock(mutex_);
  return !all_[who]->uncommitted.empty();
}

void sharing::returned(unsigned who, grain_range grains) {
  const std::lock_guard lock(mutex_);
  if (!was_lost(who)) cut_off(*all_[who], grains);
}

void sharing::cut_off(standing& one, grain_range grains) {
  one.open.fetch_sub(grains.size(), std::memory_order_relaxed);
  grain_range& last = one.uncommitted.back();
  expects(last.end == grains.end && last.begin <= grains.begin,
          "only the end of the last claim is given back");
  last.end = grains.begin;
  if (last.empty()) one.uncommitted.pop_back();
  give_back(grains);
}

bool sharing::refused(unsigned who, grain_range grains) {
  standing& one = *all_[who];
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return false;
  const bool alone = one.open.load(std::memory_order_relaxed) == grains.size();
  cut_off(one, grains);

  const unsigned depth = one.depth.load(std::memory_order_relaxed);
  if (grains.size() > 1) {
    one.most.store(std::max(1U, grains.size() / 2), std::memory_order_relaxed);
  } else if (depth > 1) {
    one.depth.store(depth - 1, std::memory_order_relaxed);
  } else if (alone) {
    one.at.store(stage::dropped, std::memory_order_relaxed);
    disown(who);
    return false;
  }
  return true;
}

// Nobody else would touch the interval that a split gave it.
void sharing::disown(unsigned who) {
  if (how_.rule != sharing_rule::split) return;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] == who) make_free(intervals_[i]->take_front(intervals_[i]->remaining()));
  }
}

void sharing::lost(unsigned who) {
  const std::lock_guard lock(mutex_);
  if (was_lost(who)) return;
  all_[who]->at.store(stage::lost, std::memory_order_relaxed);
  give_all_back(who, true);
}

void sharing::give_all_back(unsigned who, bool committing_too) {
  standing& one = *all_[who];
  one.open.store(0, std::memory_order_relaxed);
  if (committing_too) {
    for (const grain_range& grains : one.committing) give_back(grains);
  }
  one.committing.clear();
  for (const grain_range& grains : one.uncommitted) give_back(grains);
  one.uncommitted.clear();
  disown(who);
}

bool sharing::late(const standing& one, double now) const noexcept {
  const stage at = one.at.load(std::memory_order_relaxed);
  if (!one.is.can_be_given_up || at == stage::lost) return false;
  // A start may build the kernels for the device, how long nobody knows either.
  if (at == stage::starting)
    return now - one.started_at.load(std::memory_order_relaxed) >
           std::max(late_factor * one.is.model.start_seconds, how_.late_commit_seconds);
  const double since = now - one.progressed.load(std::memory_order_relaxed);
  if (one.commits_now.load(std::memory_order_relaxed))
    return since > std::max(late_factor * one.is.model.end_seconds, how_.late_commit_seconds);
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  if (open == 0) return false;
  // Of whose pace nothing was measured: as long as all that has passed before, but who gets the first grains
  // late, those of a device that was given up, is not waited for longer than a commit.
  const double expected = one.speed.samples() > 0
                              ? open * one.speed.seconds_per_grain() + one.speed.claim_seconds()
                              : std::min(now - since, how_.late_commit_seconds / late_factor);
  return since > std::max(late_factor * expected, how_.late_chunk_seconds);
}

std::optional<unsigned> sharing::overdue(double now) const {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (late(*all_[i], now)) return i;
  }
  return std::nullopt;
}

bool sharing::give_up(unsigned who, double now) {
  const std::lock_guard lock(mutex_);
  if (!late(*all_[who], now)) return false;
  all_[who]->at.store(stage::lost, std::memory_order_relaxed);
  return true;
}

bool sharing::given_up(unsigned who, std::uint64_t commits) {
  const std::lock_guard lock(mutex_);
  // A commit may have ended without its worker having said so yet.
  const bool counts = commits > all_[who]->commits;
  give_all_back(who, !counts);
  return counts;
}

bool sharing::complete() const {
  const std::lock_guard lock(mutex_);
  if (free_grains() > 0) return false;
  return std::all_of(all_.begin(), all_.end(), [](const auto& one) {
    return one->open.load(std::memory_order_relaxed) == 0 && one->uncommitted.empty() &&
           one->committing.empty();
  });
}

}  // namespace duomap::scheduler
