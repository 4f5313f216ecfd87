#include "scheduler/sharing.hpp"

#include "core/error.hpp"
#include "scheduler/chunk_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

// A claim of a pool takes no longer, so that cancelling, and what the others assume, is not late.
constexpr double pool_claim_seconds = 2e-3;
// Nor longer than this part of what is left, so that grains that are much more costly than those before do no
// harm; but that is no reason for claims that cost more than they are worth.
constexpr double pool_claim_share = 1.0 / 32;
constexpr double least_pool_claim_seconds = 50e-6;
// In a run longer than this a device has one chunk open until one was measured, even if there is a model of
// it to trust: when the model is wrong, that one is all there is to wait for. The copy of the second chunk
// that could have overlapped is at most a hundredth of such a run.
constexpr double one_chunk_first_seconds = 20e-3;

// Who is asked to wait asks again after a tenth of what the others need, or of what the run has taken so far,
// within these bounds.
double ask_again(double now, double others_seconds) {
  return now + std::clamp(std::min(others_seconds, now) / 10, 50e-6, 5e-3);
}

std::uint32_t at_least_one(double grains) { return static_cast<std::uint32_t>(std::clamp(grains, 1.0, 4e9)); }

}  // namespace

sharing::sharing(std::uint32_t grains, const std::vector<participant>& who, sharing_options how)
  : how_(std::move(how)), total_(grains) {
  expects(who.size() <= most_executors, "a run has at most 32 executors");
  for (const participant& one : who) {
    expects(!one.device || one.workers == 1, "a device has one worker");
    all_.push_back(std::make_unique<standing>(one));
    all_.back()->depth.store(one.depth, std::memory_order_relaxed);
    // Packets are as large as they are, until memory runs out.
    if (how_.rule == sharing_rule::packets || how_.rule == sharing_rule::guided)
      all_.back()->most.store(grains, std::memory_order_relaxed);
    if (one.device) all_.back()->at.store(stage::cold, std::memory_order_relaxed);
  }

  std::vector<double> shares(who.size(), 0.0);
  if (how_.rule == sharing_rule::split) {
    expects(how_.shares.size() == who.size(), "a split has one share for each executor");
    shares = how_.shares;
  } else if (how_.rule == sharing_rule::converging) {
    // Devices have intervals as long as they are fast; equally long if that is not known of all.
    const bool known =
        std::all_of(who.begin(), who.end(), [](const auto& one) { return !one.device || one.model.known(); });
    for (std::size_t i = 0; i < who.size(); ++i) {
      if (who[i].device) shares[i] = known ? 1 / who[i].model.seconds_per_grain : 1;
    }
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::uint32_t begin = 0;
  double reached = 0;
  for (std::size_t i = 0; i < who.size(); ++i) {
    if (shares[i] <= 0) continue;
    reached += shares[i];
    const auto end =
        std::clamp(static_cast<std::uint32_t>(std::lround(reached / sum * grains)), begin, grains);
    intervals_.push_back(std::make_unique<interval>(grain_range{begin, end}));
    owners_.push_back(static_cast<unsigned>(i));
    begin = end;
  }
  if (intervals_.empty()) {
    intervals_.push_back(std::make_unique<interval>(grains));
    owners_.push_back(std::nullopt);
  }
}

bool sharing::takes_part(unsigned who) const noexcept {
  const stage at = all_[who]->at.load(std::memory_order_relaxed);
  return at != stage::dropped && at != stage::lost;
}

bool sharing::others_take_part(unsigned who) const noexcept {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (i != who && takes_part(i)) return true;
  }
  return false;
}

bool sharing::was_lost(unsigned who) const noexcept {
  return all_[who]->at.load(std::memory_order_relaxed) == stage::lost;
}

unsigned sharing::depth(unsigned who) const noexcept {
  return all_[who]->depth.load(std::memory_order_relaxed);
}

std::uint32_t sharing::free_grains() const noexcept {
  std::uint32_t sum = returned_grains_.load(std::memory_order_relaxed);
  for (const auto& one : intervals_) sum += one->remaining();
  return sum;
}

std::uint32_t sharing::left_for(unsigned who) const noexcept {
  if (how_.rule != sharing_rule::split) return free_grains();
  std::uint32_t sum = returned_grains_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] == who) sum += intervals_[i]->remaining();
  }
  return sum;
}

bool sharing::starts(unsigned who, double now) {
  standing& one = *all_[who];
  const bool yes = worth_starting(who, now);
  one.started_at.store(now, std::memory_order_relaxed);
  one.at.store(yes ? stage::starting : stage::declined, std::memory_order_relaxed);
  return yes;
}

claim sharing::ask_later(unsigned who, double now) const {
  const std::uint32_t left = left_for(who);
  return left == 0 ? nothing_left(who, now) : wait_for(look(who, left, now), now);
}

claim sharing::wait_for(const view& seen, double now) {
  return {claim::what::wait, {}, ask_again(now, seen.soonest), seen.soonest_who};
}

void sharing::started(unsigned who, double now) {
  if (!takes_part(who)) return;
  all_[who]->progressed.store(now, std::memory_order_relaxed);
  all_[who]->at.store(stage::ready, std::memory_order_relaxed);
}

std::uint32_t sharing::pool_size(const standing& one, double share, double level) const noexcept {
  const double per_grain = one.speed.seconds_per_grain();
  double grains = share / (2 * one.is.workers);
  if (per_grain > 0)
    grains =
        std::min(grains, std::clamp(level * pool_claim_share, least_pool_claim_seconds, pool_claim_seconds) /
                             per_grain);
  // A first grain shows how fast the pool is; when it is alone nobody needs to know.
  if (per_grain == 0 && all_.size() > 1) grains = 1;
  return std::min(at_least_one(grains), one.most.load(std::memory_order_relaxed));
}

std::uint32_t sharing::device_size(standing& one, double share) const noexcept {
  const double grains = chunk_size(share, one.speed.seconds_per_grain(), one.speed.claim_seconds());
  if (one.ramp == 0)
    one.ramp = one.is.model.known() && one.is.model.trusted ? total_ : at_least_one(share / 4096);
  return std::min({at_least_one(std::ceil(grains)), one.most.load(std::memory_order_relaxed), one.ramp});
}

std::optional<std::uint32_t> sharing::size(unsigned who, std::uint32_t left, double now) {
  standing& one = *all_[who];
  const std::uint32_t most = one.most.load(std::memory_order_relaxed);
  switch (how_.rule) {
    case sharing_rule::converging: {
      if (all_.size() == 1) return one.is.device ? device_size(one, left) : pool_size(one, left, forever);
      const view seen = look(who, left, now);
      if (seen.own_first > seen.soonest) return std::nullopt;  // somebody else would be done before
      if (one.is.device && one.speed.samples() == 0 && one.open.load(std::memory_order_relaxed) > 0 &&
          (seen.level > one_chunk_first_seconds || !one.is.model.trusted))
        return std::nullopt;
      const double share = std::min<double>(
          seen.own.seconds_per_grain > 0 ? share_below(seen.level, seen.own) : left / 2.0, left);
      return one.is.device ? device_size(one, share) : pool_size(one, share, seen.level);
    }
    case sharing_rule::split:
      return one.is.device ? most : std::min(at_least_one(left / (2.0 * one.is.workers)), most);
    case sharing_rule::packets:
      return std::min(at_least_one(std::ceil(static_cast<double>(total_) / how_.packets)), most);
    case sharing_rule::guided: {
      double sum = 0;
      for (const auto& each : all_) {
        if (each->speed.seconds_per_grain() > 0) sum += each->is.workers / each->speed.seconds_per_grain();
      }
      const double own =
          one.speed.seconds_per_grain() > 0 ? one.is.workers / one.speed.seconds_per_grain() : 0;
      const double part = sum > 0 && own > 0 ? own / sum : 1.0 / static_cast<double>(all_.size());
      return std::min(at_least_one(left * part / (2.0 * one.is.workers)), most);
    }
  }
  return std::nullopt;
}

claim sharing::next(unsigned who, double now) {
  standing& one = *all_[who];
  if (!takes_part(who)) return {};
  const auto record = [&](grain_range grains) {
    if (one.open.fetch_add(grains.size(), std::memory_order_relaxed) == 0)
      one.progressed.store(now, std::memory_order_relaxed);
    return claim{claim::what::take, grains, now, std::nullopt};
  };
  while (true) {
    const std::uint32_t left = left_for(who);
    if (left == 0) return nothing_left(who, now);
    if (!one.is.device) {
      const auto grains = size(who, left, now);
      if (!grains) return wait_for(look(who, left, now), now);
      if (const grain_range taken = take(who, *grains); !taken.empty()) return record(taken);
      continue;
    }
    // Taking and putting on record is one step, so that who sees no free grains also sees who has them.
    const std::lock_guard lock(mutex_);
    if (was_lost(who)) return {};
    const auto grains = size(who, left, now);
    if (!grains) return wait_for(look(who, left, now), now);
    const grain_range taken = take(who, *grains);
    if (taken.empty()) continue;
    one.uncommitted.push_back(taken);
    return record(taken);
  }
}

claim sharing::nothing_left(unsigned who, double now) const {
  if (all_.size() == 1) return {};
  const std::lock_guard lock(mutex_);
  if (free_grains() == 0) {
    if (!others_hold_uncommitted(who)) return {};
    want_back(who, now);
  }
  return {claim::what::wait, {}, now + 5e-3, std::nullopt};
}

// A device that has more than one claim in hand, and would take twice as long for the newest as `who` for
// that one alone, is asked to give it back.
void sharing::want_back(unsigned who, double now) const {
  const standing& idle = *all_[who];
  const double idle_per_grain = idle.speed.seconds_per_grain();
  if (how_.rule != sharing_rule::converging || idle_per_grain == 0) return;
  for (unsigned i = 0; i < all_.size(); ++i) {
    standing& one = *all_[i];
    if (i == who || !one.is.device || one.uncommitted.empty() || !takes_part(i)) continue;
    const std::uint32_t open = one.open.load(std::memory_order_relaxed);
    const std::uint32_t newest = one.uncommitted.back().size();
    if (open <= newest) continue;
    const double since = now - one.progressed.load(std::memory_order_relaxed);
    const double needs = std::max(open * one.speed.seconds_per_grain(), since);
    const double instead = std::ceil(static_cast<double>(newest) / idle.is.workers) * idle_per_grain;
    if (needs > 2 * instead) one.wanted_back.store(true, std::memory_order_relaxed);
  }
}

bool sharing::wanted_back(unsigned who) noexcept {
  return all_[who]->wanted_back.exchange(false, std::memory_order_relaxed);
}

bool sharing::others_hold_uncommitted(unsigned who) const {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (i != who && !(all_[i]->uncommitted.empty() && all_[i]->committing.empty())) return true;
  }
  return false;
}

grain_range sharing::take(unsigned who, std::uint32_t grains) {
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] && owners_[i] != who) continue;
    if (const grain_range taken = intervals_[i]->take_front(grains); !taken.empty()) return taken;
  }
  if (returned_grains_.load(std::memory_order_relaxed) > 0) {
    // A device has the mutex.
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!all_[who]->is.device) lock.lock();
    if (const grain_range taken = take_returned(grains); !taken.empty()) return taken;
  }
  return how_.rule == sharing_rule::converging ? take_far(grains) : grain_range{};
}

// From the high end of the interval that would take its owner longest.
grain_range sharing::take_far(std::uint32_t grains) {
  std::size_t longest = 0;
  double most_seconds = -1;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (!owners_[i] || intervals_[i]->remaining() == 0) continue;
    const standing& owner = *all_[*owners_[i]];
    const bool runs = owner.at.load(std::memory_order_relaxed) == stage::ready;
    const double per_grain = owner.speed.seconds_per_grain();
    // What nobody eats from the other end comes first.
    const double seconds = intervals_[i]->remaining() * (runs && per_grain > 0 ? per_grain : 1e6);
    if (seconds > most_seconds) {
      most_seconds = seconds;
      longest = i;
    }
  }
  return most_seconds < 0 ? grain_range{} : intervals_[longest]->take_back(grains);
}

grain_range sharing::take_returned(std::uint32_t grains) {
  if (returned_.empty()) return {};
  grain_range& last = returned_.back();
  const std::uint32_t count = std::min(grains, last.size());
  last.end -= count;
  const grain_range taken{last.end, last.end + count};
  if (last.empty()) returned_.pop_back();
  returned_grains_.fetch_sub(count, std::memory_order_relaxed);
  return taken;
}

void sharing::give_back(grain_range grains) {
  if (grains.empty()) return;
  returned_.push_back(grains);
  returned_grains_.fetch_add(grains.size(), std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
