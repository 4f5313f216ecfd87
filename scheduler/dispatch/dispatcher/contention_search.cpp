// Measures several numbers of workers beside devices, one after the other, and keeps the best.
#include "scheduler/dispatch/dispatcher/contention_search.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::scheduler {

contention_search::contention_search(unsigned workers, unsigned idle, std::optional<double> remembered,
                                     bool learns)
  : learns_(learns && !remembered), remembers_(remembered.has_value()), share_(1) {
  const unsigned co_run = workers > idle ? workers - idle : std::min(workers, 1U);
  for (const unsigned count : {workers, co_run, co_run / 2, co_run / 4, 0U}) {
    const double share = workers > 0 ? static_cast<double>(count) / workers : 0;
    if (shares_.empty() || share < shares_.back()) shares_.push_back(share);
    if (count == co_run) planned_ = shares_.size() - 1;
  }
  seen_.resize(shares_.size());
  step_ = planned_;
  if (remembered) {
    const auto off = [&](double share) {
      return std::abs(share - *remembered);
    };
    const auto nearest =
        std::min_element(shares_.begin(), shares_.end(), [&](double a, double b) { return off(a) < off(b); });
    step_ = static_cast<std::size_t>(nearest - shares_.begin());
  }
  best_ = step_;
  share_.store(shares_[step_], std::memory_order_relaxed);
}

void contention_search::begins(double most_seconds, const outlook& run) {
  if (begun_ || shares_.size() < 2) return;
  begun_ = true;
  opened_ = run.now;
  pool_grains_then_ = run.pool_grains;
  const bool known = run.pool_rate > 0;
  const bool left_out = known && !remembers_ && small(shares_[step_] * run.pool_rate, run.device_rate);
  if (left_out) settle(shares_.size() - 1);
  if (!learns_ || (left_out && run.measured_solo)) return;
  if (run.measured_solo && run.device_rate > 0) {
    seen_.back() =
        rates{.devices = run.device_rate, .error = measured_thresholds.least_gain * run.device_rate};
    skip_ = 2 * run.open + 1;  // ignored: the workers only wake up now
    go_to(planned_, phase::compare);
    return;
  }
  doing_ = phase::solo;
  skip_ = run.open;
  solo_until_.store(run.now + most_seconds, std::memory_order_relaxed);
}

bool contention_search::chunk_ended(std::size_t device, double grains, double seconds, const progress& run) {
  if (!begun_) return false;
  const bool solo = doing_ == phase::solo;
  const bool too_late = solo && run.now >= solo_until();  // the devices are too slow to wait for
  if (solo && !run.pools_rest) skip_ = run.open + 1;
  if (skip_ > 0 && !too_late) {
    --skip_;
    opened_ = run.now;
    pool_grains_then_ = run.pool_grains;
    return false;
  }
  if (grains > 0 && seconds > 0) chunks_.push_back({device, grains, seconds});
  if (std::find(devices_.begin(), devices_.end(), device) == devices_.end()) devices_.push_back(device);
  if (!too_late && !measured_enough(run)) return false;

  bool more = solo;
  if (too_late) {
    settle(planned_);
  } else {
    more = decide(measured(run), run) || more;
  }
  solo_until_.store(0, std::memory_order_relaxed);
  chunks_.clear();
  skip_ = run.open;
  opened_ = run.now;
  pool_grains_then_ = run.pool_grains;
  return more;
}

// Whether the window has enough chunks of every device. A device that is gone ends no more chunks, so a long
// window is enough without them.
bool contention_search::measured_enough(const progress& run) const {
  const std::size_t wanted =
      doing_ == phase::solo ? dispatch_thresholds::solo_chunks : dispatch_thresholds::window_chunks;
  if (chunks_.size() >= measured_thresholds.growth * wanted) return true;
  const bool of_all = std::all_of(devices_.begin(), devices_.end(), [&](std::size_t device) {
    return std::count_if(chunks_.begin(), chunks_.end(),
                         [&](const timed_grains& one) { return one.device == device; }) >= 2;
  });
  if (!of_all) return false;
  return chunks_.size() >= wanted ||
         (doing_ == phase::compare && chunks_.size() >= measured_thresholds.few && hopeless(measured(run)));
}

contention_search::rates contention_search::measured(const progress& run) const {
  rates found;
  double error_squared = 0;
  std::vector<bool> counted(chunks_.size(), false);
  for (std::size_t first = 0; first < chunks_.size(); ++first) {
    if (counted[first]) continue;
    double grains = 0;
    double seconds = 0;
    double grains_squared = 0;
    for (std::size_t i = first; i < chunks_.size(); ++i) {
      if (chunks_[i].device != chunks_[first].device) continue;
      counted[i] = true;
      grains += chunks_[i].grains;
      seconds += chunks_[i].seconds;
      grains_squared += chunks_[i].grains * chunks_[i].grains;
    }
    // The squared deviation of the device's rate from chunk to chunk, weighted by grains.
    double deviation_squared = 0;
    for (const timed_grains& one : chunks_) {
      if (one.device != chunks_[first].device) continue;
      const double off = one.seconds / one.grains / (seconds / grains) - 1;
      deviation_squared += one.grains / grains * off * off;
    }
    const double rate = grains / seconds;
    found.devices += rate;
    error_squared += rate * rate * deviation_squared * grains_squared / (grains * grains);
  }
  found.error = std::sqrt(error_squared);
  if (doing_ != phase::solo && run.now > opened_)
    found.pools = (run.pool_grains - pool_grains_then_) / (run.now - opened_);
  double sum = 0;
  for (const timed_grains& one : chunks_) sum += one.grains;
  found.per_chunk = sum / static_cast<double>(chunks_.size()) * found.all() / found.devices;
  return found;
}

// Whether the rate `one` is higher than `than` by more than chance. Windows differ by chance, for example if
// some grains cost 50 times as much as others.
bool contention_search::better(double one, double than, const rates& a, const rates& b) {
  return one - than >
         measured_thresholds.least_difference * than + measured_thresholds.few * std::hypot(a.error, b.error);
}

// Whether the pools' rate beside devices is too small to be worth the cores.
bool contention_search::small(double pools, double devices) const {
  return planned_ > 0 && pools < std::max(dispatch_thresholds::least_part * (1 - shares_[planned_]),
                                          measured_thresholds.least_gain) *
                                     devices;
}

// Whether the devices lose more than hopeless_loss times the rate that the pools add. Then fewer workers
// would not help either.
bool contention_search::hopeless(const rates& seen) const {
  const rates& solo = *seen_.back();
  return better(solo.all(), seen.all(), solo, seen) &&
         solo.devices - seen.devices > dispatch_thresholds::hopeless_loss * seen.pools;
}

bool contention_search::decide(const rates& seen, const progress& run) {
  const std::size_t last = shares_.size() - 1;
  switch (doing_) {
    case phase::solo:
      seen_[last] = seen;
      return go_to(planned_, phase::compare);
    case phase::compare: {
      learned_ = true;
      seen_[step_] = seen;
      const rates& solo = *seen_[last];
      if (hopeless(seen)) return settle(last);
      const bool worse = better(solo.all(), seen.all(), solo, seen);
      if (!worse && small(seen.pools, solo.devices) && !better(seen.all(), solo.all(), seen, solo))
        return settle(last);
      best_ = worse ? last : step_;
      return better(solo.devices, seen.devices, solo, seen) ? descend_from(step_) : settle(best_);
    }
    case phase::descend:
      seen_[step_] = seen;
      if (!better(seen.all(), seen_[best_]->all(), seen, *seen_[best_])) return settle(best_);
      return descend_from(best_ = step_);
    case phase::settled:
      seen_[step_] = seen;
      ++windows_;
      return try_a_neighbour(seen, run);
    case phase::trial:
      learned_ = true;
      seen_[step_] = seen;
      if (better(seen.all(), seen_[best_]->all(), seen, *seen_[best_])) {
        patience_ = 1;
        return settle(step_);
      }
      patience_ *= 2;
      return settle(best_);
  }
  return false;
}

bool contention_search::descend_from(std::size_t step) {
  return step + 2 < shares_.size() ? go_to(step + 1, phase::descend) : settle(best_);
}

bool contention_search::settle(std::size_t step) {
  best_ = step;
  windows_ = 0;
  return go_to(step, phase::settled);
}

// After the wait, tries more and fewer workers in turn. A trial of more workers counts as costing all the
// work that is done meanwhile.
bool contention_search::try_a_neighbour(const rates& seen, const progress& run) {
  const bool can_go_up = best_ > 0;
  const bool can_go_down = best_ + 1 < shares_.size();
  const bool up = can_go_up && (up_ || !can_go_down);
  const std::size_t next = up ? best_ - 1 : best_ + 1;
  const double loss = up ? 1 : seen.pools / seen.all() * (1 - shares_[next] / shares_[best_]);
  const double chunks = static_cast<double>(dispatch_thresholds::window_chunks + run.open);
  if (windows_ * dispatch_thresholds::window_chunks * dispatch_thresholds::trial_cost <
      patience_ * loss * chunks)
    return false;
  if (measured_thresholds.tried_part * run.left < chunks * seen.per_chunk) return false;
  up_ = !up;
  return go_to(next, phase::trial);
}

bool contention_search::go_to(std::size_t step, phase doing) {
  const bool more = shares_[step] > shares_[step_];
  step_ = step;
  doing_ = doing;
  share_.store(shares_[step], std::memory_order_relaxed);
  return more;
}

}  // namespace duomap::scheduler
