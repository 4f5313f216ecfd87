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

// A device goes on until all would be sooner done without it by this factor, so that it does not come and go.
constexpr double worth_it = 1.01;
// Devices have the machine to themselves for at most this part of what the pools would need for all.
constexpr double stand_by_share = 0.02;
// A device that has ended nothing for so long, or for four times as long as expected, is not waited for.
constexpr double least_patience_seconds = 10e-3;
constexpr double patience = 4;
// Chunks of a lone device of unknown pace: this part of what is left.
constexpr double unknown_parts = 8;
// While it is not clear how many workers are good beside a device, chunks are not larger than this part of
// the input, because some dozen of them are measured for that; but of the largest at least a quarter: 8 MB
// arrive on an H200 at 30 to 45 GB/s, 16 at 50.
constexpr std::uint32_t explored_parts = 256;
constexpr std::uint32_t least_explored = 4;
// However much faster it was alone before, an executor is believed to be at most twice as fast alone.
constexpr double most_slowed = 2;

interference interference_of(const std::vector<participant>& who, sharing_rule rule) {
  unsigned workers = 0;
  unsigned idle = 0;
  std::optional<double> remembered;
  bool learns = false;
  for (const participant& one : who) {
    if (one.device) {
      learns = learns || !one.model.known() || !one.model.trusted;
    } else {
      workers += one.workers;
      idle += std::min(one.idle, one.workers);
      if (one.model.trusted && one.model.beside) remembered = one.model.beside;
    }
  }
  const bool adapts = rule == sharing_rule::converging;
  return {workers, idle, adapts ? remembered : std::nullopt, adapts && learns};
}

std::uint32_t at_least_one(double grains) { return static_cast<std::uint32_t>(std::clamp(grains, 1.0, 4e9)); }

}  // namespace

sharing::sharing(std::uint32_t grains, const std::vector<participant>& who, sharing_options how)
  : how_(std::move(how)),
    total_(grains),
    beside_(interference_of(who, how_.rule)),
    stands_by_until_(how_.stand_by_seconds) {
  expects(who.size() <= most_executors, "a run has at most 32 executors");
  for (const participant& one : who) {
    expects(!one.device || one.workers == 1, "a device has one worker");
    all_.push_back(std::make_unique<standing>(one));
    all_.back()->depth.store(one.depth, std::memory_order_relaxed);
    // Packets are as large as they are, until memory runs out.
    if (how_.rule == sharing_rule::packets || how_.rule == sharing_rule::guided)
      all_.back()->most.store(grains, std::memory_order_relaxed);
    if (one.device) all_.back()->at.store(stage::cold, std::memory_order_relaxed);
    mixed_ = mixed_ || one.device != who[0].device;
  }
  lone_pool_ = who.size() == 1 && !who[0].device;

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

// What was measured alone in this run may be of grains long past, which may have cost something else.
double sharing::standing::alone_per_grain() const noexcept {
  const double now = speed.seconds_per_grain();
  if (const double looked = first_look_per_grain.load(std::memory_order_relaxed); looked > 0)
    return std::clamp(looked, now / most_slowed, now);
  if (!is.model.known() || is.model.alone_seconds_per_grain == 0) return now;
  return now *
         std::clamp(is.model.alone_seconds_per_grain / is.model.seconds_per_grain, 1 / most_slowed, 1.0);
}

bool sharing::at_work(const standing& one, double now) const noexcept {
  if (!one.is.device || one.at.load(std::memory_order_relaxed) != stage::ready) return false;
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  if (open == 0) return false;
  if (!one.trial.over()) return one.trial.alone_until() > now;  // not for longer, since it may be slow
  const double expected = open * one.speed.seconds_per_grain() + one.speed.claim_seconds();
  return now - one.progressed.load(std::memory_order_relaxed) <=
         std::max(least_patience_seconds, patience * expected);
}

bool sharing::pools_stand_by(double now) const noexcept {
  return mixed_ && now < stands_by_until_.load(std::memory_order_relaxed) &&
         std::any_of(all_.begin(), all_.end(), [](const auto& one) {
           const stage at = one->at.load(std::memory_order_relaxed);
           return one->is.device && (at == stage::cold || at == stage::starting || at == stage::ready);
         });
}

bool sharing::begins(const standing& one, double now) const noexcept {
  if (!one.is.device || one.speed.samples() > 0) return false;
  const stage at = one.at.load(std::memory_order_relaxed);
  return (at == stage::cold || at == stage::starting || at == stage::ready) &&
         std::max(now, one.is.model.start_seconds) < least_patience_seconds;
}

bool sharing::devices_at_work(double now) const noexcept {
  return mixed_ && std::any_of(all_.begin(), all_.end(), [&](const auto& one) { return at_work(*one, now); });
}

unsigned sharing::workers_beside(const standing& one, double now) const noexcept {
  return static_cast<unsigned>(std::ceil(beside_.share(now) * one.is.workers - 1e-9));
}

unsigned sharing::probes(const standing& one) const noexcept {
  if (!how_.first_look || one.speed.samples() > 0) return 0;
  return std::max(one.is.workers - std::min(one.is.idle, one.is.workers), 1U);
}

bool sharing::takes_turn(unsigned who, bool in, double now) {
  if (!mixed_) return true;
  standing& one = *all_[who];
  const bool stands_by = pools_stand_by(now);
  bool crowded = devices_at_work(now) && left_for(who) > one.is.workers;
  if (!stands_by && !crowded && beside_.share(now) < 1 &&
      std::any_of(all_.begin(), all_.end(), [&](const auto& each) { return begins(*each, now); })) {
    // Who comes before the device, and is slower than it alone, leaves it to begin.
    const view seen = look(who, left_for(who), now);
    crowded = seen.own_alone > seen.soonest;
  }
  const unsigned most = stands_by ? probes(one) : crowded ? workers_beside(one, now) : one.is.workers;
  unsigned count = one.in.load(std::memory_order_relaxed);
  // Relaxed, all of it: a worker too many or too few for the length of a claim does no harm.
  if (in && count > most) {
    while (count > most) {
      if (one.in.compare_exchange_weak(count, count - 1, std::memory_order_relaxed)) return false;
    }
  }
  if (!in) {
    while (count < most) {
      if (one.in.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    }
  }
  return in;
}

double sharing::next_turn(double now) const noexcept {
  double turn = now + aside_seconds;
  const auto not_after = [&](double until) {
    if (until > now) turn = std::min(turn, until);
  };
  not_after(how_.stand_by_seconds);
  not_after(beside_.alone_until());
  for (const auto& one : all_) {
    if (!one->trial.over()) not_after(one->trial.alone_until());
  }
  return turn;
}

std::optional<double> sharing::beside() const {
  const std::lock_guard lock(mutex_);
  return beside_.best();
}

void sharing::end_look_if_seen(double now) {
  const bool seen = std::all_of(all_.begin(), all_.end(), [](const auto& one) {
    return one->is.device ? one->stood_by.chunks >= least_alone : one->speed.samples() > 0;
  });
  if (!seen) return;
  stands_by_until_.store(now, std::memory_order_relaxed);
  calls_workers_.store(true, std::memory_order_relaxed);
}

// A device is about to get grains.
void sharing::begin_beside(double now) {
  interference::outlook seen{.pool_grains = pool_grains(), .measured_alone = how_.first_look, .now = now};
  double alone_rate = 0;
  for (const auto& one : all_) {
    const double per_grain = one->speed.seconds_per_grain();
    if (one->is.device && one->stood_by.chunks < least_alone) seen.measured_alone = false;
    if (one->is.device && one->trial.over()) {
      seen.open += one->depth.load(std::memory_order_relaxed);
      seen.device_rate += per_grain > 0 ? 1 / per_grain : 0;
      if (one->stood_by.chunks >= least_alone) {
        const double claims = one->stood_by.chunks * one->speed.claim_seconds();
        const double seconds = one->stood_by.end - one->stood_by.begin;
        const double alone = std::max(seconds - claims, seconds / 10) / one->stood_by.grains;
        one->first_look_per_grain.store(alone, std::memory_order_relaxed);
        alone_rate += 1 / alone;
      }
    } else if (!one->is.device && per_grain > 0) {
      seen.pool_rate += one->is.workers / per_grain;
    }
  }
  if (seen.measured_alone) seen.device_rate = alone_rate;
  // Pools of unknown pace have stood by, and may for as long again.
  beside_.begins(seen.pool_rate > 0 ? stand_by_share * free_grains() / seen.pool_rate : how_.stand_by_seconds,
                 seen);
}

// Called with mutex_ held.
double sharing::pool_grains() const noexcept {
  std::uint64_t others = free_grains() + device_grains_;
  for (const auto& one : all_) {
    if (!one->is.device) others += one->open.load(std::memory_order_relaxed);
  }
  return static_cast<double>(total_) - static_cast<double>(others);
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

std::uint32_t sharing::device_size(const standing& one, double share) const noexcept {
  const double per_grain = one.speed.seconds_per_grain();
  const double grains = per_grain > 0
                            ? chunk_size(share, per_grain, one.speed.claim_seconds())
                            : std::max<double>(share, one.is.most_grains / unknown_parts) / unknown_parts;
  const bool explores = beside_.explores() || (how_.first_look && !beside_.begun());
  const std::uint32_t most =
      explores ? std::max({total_ / explored_parts, one.is.most_grains / least_explored, 1U}) : total_;
  return std::min({at_least_one(std::ceil(grains)), one.most.load(std::memory_order_relaxed), most});
}

bool sharing::is_of_use(const standing& one, const view& seen) noexcept {
  if (seen.own_first > seen.soonest) return false;  // somebody else would be done before
  if (seen.own_alone <= seen.soonest) return true;
  // Workers that stand aside for it, or are slowed down by it, may do more than it does.
  return seen.level <= seen.level_without * (one.open.load(std::memory_order_relaxed) > 0 ? worth_it : 1);
}

std::optional<std::uint32_t> sharing::claim_of_device(standing& one, const view& seen, std::uint32_t left,
                                                      double now) const {
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  const bool known = one.trial.over();
  const bool useful = known && is_of_use(one, seen);
  if (!known || (!useful && open == 0)) {
    const double fear = seen.own_known ? 1 : slowest_device;
    return one.trial.next({.left = left,
                           .most = one.most.load(std::memory_order_relaxed),
                           .others_seconds = seen.level_without,
                           .grain_seconds = fear * seen.own.seconds_per_grain,
                           .claim_seconds = one.speed.claim_seconds(),
                           .open = open,
                           .now = now});
  }
  if (!useful) return std::nullopt;
  if (one.speed.samples() == 0 && open > 0 && (seen.level > one_chunk_first_seconds || !one.is.model.trusted))
    return std::nullopt;
  return device_size(one, std::min<double>(share_below(seen.level, seen.own), left));
}

std::optional<std::uint32_t> sharing::size(unsigned who, std::uint32_t left, double now) {
  standing& one = *all_[who];
  const std::uint32_t most = one.most.load(std::memory_order_relaxed);
  switch (how_.rule) {
    case sharing_rule::converging: {
      if (one.is.device && (all_.size() == 1 || pools_stand_by(now)))
        return device_size(one, left / static_cast<double>(intervals_.size()));
      if (all_.size() == 1) return pool_size(one, left, forever);
      const view seen = look(who, left, now);
      if (one.is.device) return claim_of_device(one, seen, left, now);
      if (seen.own_first > seen.soonest) return std::nullopt;  // somebody else would be done before
      const double share = seen.own.seconds_per_grain > 0 ? share_below(seen.level, seen.own) : left / 2.0;
      return pool_size(one, std::min<double>(share, left), seen.level);
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
    if (lone_pool_) return claim{claim::what::take, grains, now, std::nullopt};
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
    one.holds_back.store(!grains && !one.trial.over(), std::memory_order_relaxed);
    if (!grains) {
      // Who stood aside for it need not any more. Once, or two devices would wake each other for ever.
      if (one.open.load(std::memory_order_relaxed) == 0 && std::exchange(one.was_at_work, false))
        calls_workers_.store(true, std::memory_order_relaxed);
      return wait_for(look(who, left, now), now);
    }
    const grain_range taken = take(who, *grains);
    if (taken.empty()) continue;
    device_grains_ += taken.size();
    one.was_at_work = mixed_ && one.trial.over();
    if (one.was_at_work && !pools_stand_by(now)) begin_beside(now);
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
  device_grains_ -= grains.size();
  make_free(grains);
}

void sharing::make_free(grain_range grains) {
  if (grains.empty()) return;
  returned_.push_back(grains);
  returned_grains_.fetch_add(grains.size(), std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
