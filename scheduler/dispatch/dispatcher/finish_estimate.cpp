// Forecasts each executor's end, and combines the forecasts.
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"

#include "scheduler/models/chunk_size.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace duomap::scheduler {

unsigned finish_estimator::workers_in_co_run(const executor_state& pool, double now) const noexcept {
  return static_cast<unsigned>(std::ceil(co_run_.share(now) * pool.is.workers - 1e-9));
}

// Forecasts one executor for the rest of the run. `workers`: the number of its workers that take part.
finish_estimator::prospect finish_estimator::of_one(const executor_state& one, unsigned workers,
                                                    std::uint32_t left, bool devices_at_work,
                                                    double now) const noexcept {
  const executor_stage at = one.at.load(std::memory_order_relaxed);
  const double since = now - one.progressed.load(std::memory_order_relaxed);
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  prospect seen{.workers = workers, .per_grain = one.rate.seconds_per_grain() / std::max(workers, 1U)};
  // An executor without a measured rate is at best as fast as its open grains show. They have already taken
  // all the time since it began them.
  if (seen.per_grain == 0 && open > 0 && since > 0) seen.per_grain = since / open;
  seen.one_grain = seen.per_grain * std::max(workers, 1U);

  // A step that is late by some time is expected to take that time once more.
  double ready = one.is.model.end_seconds + one.rate.claim_seconds();
  const double start = one.start_seconds.load(std::memory_order_relaxed);
  if (at == executor_stage::cold || at == executor_stage::declined) ready += start;
  if (at == executor_stage::starting)
    ready += std::abs(start - (now - one.start_told_at.load(std::memory_order_relaxed)));
  if (one.commits_now.load(std::memory_order_relaxed)) ready += std::abs(one.is.model.end_seconds - since);
  if (open > 0) {
    ready += std::abs(open * seen.per_grain - since);
  } else if (one.is.depth > 1) {
    // The device first has to fill its pipeline with a chunk.
    ready += chunk_size(left, seen.per_grain, one.rate.claim_seconds()) * seen.per_grain;
  }
  // A pool may meet a costly grain, which its workers cannot share. That risk counts as a part of the time
  // that the run has taken.
  seen.first = one.is.device ? ready + seen.one_grain
                             : seen.one_grain + std::min(one.rate.excess_seconds(),
                                                         dispatch_thresholds::costly_grain_share * now);
  // The time in which this executor does the rest alone. Workers of a pool share whole grains only.
  const double solo_grain = one.rate.solo_per_grain();
  // Among devices alone, a device of unknown solo rate is taken to be as slow as it has been so far.
  const bool unknown = !all_.mixed() && solo_grain == 0;
  const double quick_grain = unknown ? seen.one_grain : std::min(seen.one_grain, solo_grain);
  const auto by = [&](unsigned hands) {
    return ready + std::ceil(static_cast<double>(left) / hands) * quick_grain;
  };
  seen.solo = by(one.is.workers);
  // A throttled worker asks late and then has to begin, so it does not help with the end of a run.
  if (devices_at_work && workers < one.is.workers) {
    seen.solo += dispatch_thresholds::recheck_seconds;
    if (workers > 0) seen.solo = std::min(seen.solo, by(workers));
  }
  seen.solo = std::max(seen.first, seen.solo);
  // On average, a worker of a pool ends half a grain before or after the common end.
  seen.ready = workers > 1 ? ready + seen.one_grain / 2 : ready;
  return seen;
}

finish_estimate finish_estimator::of(unsigned index, std::uint32_t left, double now) const {
  finish_estimate seen;
  std::array<double, most_executors> firsts{};
  double others_per_second = 0;
  // Workers of pools are throttled while a device of known rate is at work.
  const bool at_work = all_.devices_at_work(now);
  const bool co_run = all_.mixed() && ((all_[index].is.device && all_[index].ramp.over()) || at_work);
  for (unsigned i = 0; i < all_.size(); ++i) {
    const executor_state& one = all_[i];
    const executor_stage at = one.at.load(std::memory_order_relaxed);
    if (at == executor_stage::out_of_memory || at == executor_stage::failed) continue;
    const unsigned workers = co_run && !one.is.device ? workers_in_co_run(one, now) : one.is.workers;
    const prospect its = of_one(one, workers, left, at_work, now);

    if (i != index && (at == executor_stage::ready || at == executor_stage::starting))
      seen.others_at_work = true;
    if (i == index) {
      seen.own = {its.ready, its.per_grain};
      seen.own_known = its.per_grain > 0;
      seen.own_first = its.first;
      if (seen.own_known) seen.own_alone_seconds = its.solo;
    } else if (its.per_grain > 0) {
      seen.others_known = true;
      const bool sure = !one.may_leave_rest.load(std::memory_order_relaxed);
      if (workers > 0 && sure) {
        seen.others[seen.count] = {its.ready, its.per_grain};
        firsts[seen.count++] = its.first;
      }
      others_per_second += one.is.workers / its.one_grain;  // counts workers that would be throttled, too
      // A device that has to be started starts only for a gain, so its expected time is longer. A device that
      // has declined will not start for now, so it does not count.
      const double expected =
          at == executor_stage::cold ? its.solo / (1 - measured_thresholds.least_gain) : its.solo;
      if (at != executor_stage::declined && sure && expected < seen.soonest) {
        seen.soonest = expected;
        seen.soonest_index = i;
      }
    }
  }
  if (!seen.own_known && others_per_second > 0) {
    seen.own.seconds_per_grain =
        std::max(1 / others_per_second, all_[index].is.model.least_seconds_per_grain);
    seen.own_first += seen.own.seconds_per_grain * all_[index].is.workers;
  }
  // An executor that is too slow for the rest gets no share of it.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < seen.count; ++i) {
    if (firsts[i] <= seen.own_alone_seconds) seen.others[kept++] = seen.others[i];
  }
  seen.count = kept;

  const std::span<executor_forecast> others(seen.others.data(), seen.count);
  seen.level_of_others = std::min(water_level(left, others), seen.soonest);
  seen.level = seen.level_of_others;
  if (seen.own.seconds_per_grain > 0) {
    // The array has a free place behind its last entry, for executor `index` itself.
    seen.others[seen.count] = seen.own;
    seen.level = water_level(left, std::span(seen.others.data(), seen.count + 1));
  }
  return seen;
}

}  // namespace duomap::scheduler
