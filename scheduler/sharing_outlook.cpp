// What an executor can know of the others, and whether starting a device is worth its time.
#include "scheduler/chunk_size.hpp"
#include "scheduler/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace duomap::scheduler {
namespace {

// So much of a run may be left to devices for fear of costly grains. In simulated runs of 0.1 s where one
// grain in a hundred costs 50 times as much, which is 6 ms of a core, 0.05 ended up to 4.4 % behind the best
// split, 0.07 2.1 %.
constexpr double costly_grain_share = 0.07;
// What it costs to start and to end a device is spent for a gain of at least that.
constexpr double least_outlook_gain = 0.02;
// A device of unknown speed is tried when its first grain, were it as slow as is feared, would be done in a
// part of the time that they need for the rest: nobody waits for it.
constexpr double trial_share = 0.25;
// One that is believed to be too slow, when starting it takes that part of the time that they need.
constexpr double cheap_start = 0.005;

}  // namespace

sharing::view sharing::look(unsigned who, std::uint32_t left, double now) const {
  view seen;
  std::array<double, most_executors> firsts{};
  double others_per_second = 0;
  // With a device at work, of which it is known that it is worth it, some workers of pools stand aside.
  const bool at_work_now = devices_at_work(now);
  const bool beside = mixed_ && ((all_[who]->is.device && all_[who]->trial.over()) || at_work_now);
  for (unsigned i = 0; i < all_.size(); ++i) {
    const standing& one = *all_[i];
    const stage at = one.at.load(std::memory_order_relaxed);
    if (at == stage::dropped || at == stage::lost) continue;

    const double since = now - one.progressed.load(std::memory_order_relaxed);
    const std::uint32_t open = one.open.load(std::memory_order_relaxed);
    const unsigned workers = beside && !one.is.device ? workers_beside(one, now) : one.is.workers;
    double per_grain = one.speed.seconds_per_grain() / std::max(workers, 1U);
    // Of whom nothing is known but that it has been at work for a while, it is known to be no faster.
    if (per_grain == 0 && open > 0 && since > 0) per_grain = since / open;
    const double one_grain = per_grain * std::max(workers, 1U);

    // What is late by some time is expected to take that time again.
    double ready = one.is.model.end_seconds + one.speed.claim_seconds();
    if (at == stage::cold || at == stage::declined) ready += one.is.model.start_seconds;
    if (at == stage::starting)
      ready += std::abs(one.is.model.start_seconds - (now - one.started_at.load(std::memory_order_relaxed)));
    if (one.commits_now.load(std::memory_order_relaxed)) ready += std::abs(one.is.model.end_seconds - since);
    if (open > 0) {
      ready += std::abs(open * per_grain - since);
    } else if (one.is.depth > 1) {
      ready += chunk_size(left, per_grain, one.speed.claim_seconds()) * per_grain;  // to fill the pipeline
    }
    // All of it by this one alone, and one grain. The workers of a pool share whole grains.
    // A grain of a pool may turn out to be costly, with nobody to share it with: towards the end that is
    // worth a part of the run.
    const double first = one.is.device
                             ? ready + one_grain
                             : one_grain + std::min(one.speed.excess_seconds(), costly_grain_share * now);
    const double quick_grain = one_grain > 0 ? std::min(one_grain, one.alone_per_grain()) : 0;
    const auto by = [&](unsigned hands) {
      return ready + std::ceil(static_cast<double>(left) / hands) * quick_grain;
    };
    double alone = by(one.is.workers);
    // Who stands aside comes late, and has to begin: it is no help with the end of a run.
    if (at_work_now && workers < one.is.workers) {
      alone += aside_seconds;
      if (workers > 0) alone = std::min(alone, by(workers));
    }
    alone = std::max(first, alone);
    // On average a worker of a pool ends half a grain before or after the level.
    if (workers > 1) ready += one_grain / 2;

    if (i != who && (at == stage::ready || at == stage::starting)) seen.others_at_work = true;
    if (i == who) {
      seen.own = {ready, per_grain};
      seen.own_known = per_grain > 0;
      seen.own_first = first;
      if (seen.own_known) seen.own_alone = alone;
    } else if (per_grain > 0) {
      seen.others_known = true;
      const bool sure = !one.holds_back.load(std::memory_order_relaxed);
      if (workers > 0 && sure) {
        seen.others[seen.count] = {ready, per_grain};
        firsts[seen.count++] = first;
      }
      others_per_second += one.is.workers / one_grain;  // also of those who would stand aside
      // A device that has to be started is only started for a gain; one that has declined, not for now.
      const double expected = at == stage::cold ? alone / (1 - least_outlook_gain) : alone;
      if (at != stage::declined && sure && expected < seen.soonest) {
        seen.soonest = expected;
        seen.soonest_who = i;
      }
    }
  }
  if (!seen.own_known && others_per_second > 0) {
    seen.own.seconds_per_grain = std::max(1 / others_per_second, all_[who]->is.model.least_seconds_per_grain);
    seen.own_first += seen.own.seconds_per_grain * all_[who]->is.workers;
  }
  // Who is too slow for what is left will take none of it, so it is not to be shared with them.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < seen.count; ++i) {
    if (firsts[i] <= seen.own_alone) seen.others[kept++] = seen.others[i];
  }
  seen.count = kept;

  const std::span<contender> others(seen.others.data(), seen.count);
  seen.level_without = std::min(water_level(left, others), seen.soonest);
  seen.level = seen.level_without;
  if (seen.own.seconds_per_grain > 0) {
    // In the place after the last: there is always one, that of `who` itself.
    seen.others[seen.count] = seen.own;
    seen.level = water_level(left, std::span(seen.others.data(), seen.count + 1));
  }
  return seen;
}

bool sharing::worth_starting(unsigned who, double now) const {
  const standing& one = *all_[who];
  const std::uint32_t left = left_for(who);
  if (left == 0) return false;
  if (how_.rule != sharing_rule::converging || pools_stand_by(now) || !others_take_part(who)) return true;
  const view seen = look(who, left, now);
  if (!seen.own_known) {
    if (!seen.others_known) return !seen.others_at_work;  // they will be known after their first grain
    if (slowest_device * seen.own.seconds_per_grain > trial_share * seen.level_without) return false;
  }
  return one.is.model.start_seconds < cheap_start * seen.level_without ||
         seen.own_alone < (1 - least_outlook_gain) * seen.soonest ||
         seen.level < (1 - least_outlook_gain) * seen.level_without;
}

}  // namespace duomap::scheduler
