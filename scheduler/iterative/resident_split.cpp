// Measures members with probes, computes shares from their models, and judges each new split.
#include "scheduler/iterative/resident_split.hpp"

#include "core/error.hpp"
#include "scheduler/history/learning.hpp"
#include "scheduler/iterative/iterative_thresholds.hpp"
#include "scheduler/models/keep_last.hpp"
#include "scheduler/models/water_level.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace duomap::scheduler {
namespace {

// A step counts as at least this time, because the clock may not have moved.
constexpr double shortest_seconds = 1e-9;

std::uint32_t sum(const std::vector<std::uint32_t>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::uint32_t{0});
}

}  // namespace

resident_split::resident_split(std::uint32_t grains, const resident_split_options& options)
  : grains_(grains), options_(options) {
  if (!options.pool) return;
  members_.push_back({.most_grains = grains});
  shares_.push_back(grains);
}

bool resident_split::starts_devices() const noexcept {
  if (started_ || grains_ == 0) return false;
  if (!options_.pool || options_.start_at_once || by_hand_.value_or(0) > 0) return true;
  if (!stepped_) return false;
  const double costs = start_costs();
  return pool_seconds_ >= costs && (options_.most_steps == 0 || pool_seconds_left() >= costs);
}

bool resident_split::pool_is_sooner(double start_seconds_left) const noexcept {
  const double left = pool_seconds_left();
  return left > 0 && left < start_seconds_left + copy_seconds();
}

// The pool's time for the remaining steps, or for the next if their number is unknown; 0: not known.
double resident_split::pool_seconds_left() const noexcept {
  const double step = pool_steps_ > 0 ? pool_seconds_ / pool_steps_ : options_.pool_seconds;
  const double steps = options_.most_steps > 0 ? static_cast<double>(options_.most_steps) - pool_steps_ : 1;
  return step * steps;
}

std::size_t resident_split::add_device(std::uint32_t most_grains) {
  members_.push_back({.device = true, .most_grains = std::min(most_grains, grains_)});
  shares_.push_back(0);
  if (!best_.empty()) best_.push_back(0);
  if (!planned_.empty()) planned_.push_back(0);
  return members_.size() - 1;
}

void resident_split::devices_started() {
  started_ = true;
  if (by_hand_) return place_without_speeds();
  if (auto first = probe()) {
    hand_out(std::move(*first));
    probing_ = true;
  } else if (!complete()) {
    place_without_speeds();
  }
}

void resident_split::share_by_hand(double device_share) {
  by_hand_ = device_share;
  place_without_speeds();
}

bool resident_split::complete() const noexcept { return sum(shares_) == grains_; }

void resident_split::finished(std::span<const double> seconds, double step_seconds) {
  expects(seconds.size() == members_.size(), "a step tells what each member took");
  stepped_ = true;
  ++steps_;
  if (!started_) {
    pool_seconds_ += step_seconds;
    ++pool_steps_;
  }
  // If steps are very short, only every eighth step is used to learn, because learning makes them 3 % longer.
  if (steps_ > iterative_thresholds::settled_steps && steps_ % 8 != 0 && step_seconds < 1e-3) return;
  keep_last(times_, step_seconds, iterative_thresholds::typical_steps);
  double slowest = 0;
  std::size_t active = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (shares_[i] == 0) continue;
    ++active;
    const double took = std::max(seconds[i], shortest_seconds);
    slowest = std::max(slowest, took);
    members_[i].model.add(size_of(i), took);
  }
  if (active > 1 && steps_ >= confirmed_by) {
    const double beyond = std::max(step_seconds - slowest, 0.0);
    together_seconds_ = together_seconds_ == 0 ? beyond : std::min(together_seconds_, beyond);
  }
  decide();
}

void resident_split::holds_at_most(std::size_t index, std::uint32_t grains) {
  members_[index].most_grains = std::min(grains, members_[index].most_grains);
  if (shares_[index] > grains || (!best_.empty() && best_[index] > grains)) start_over();
}

void resident_split::failed(std::size_t index) {
  members_[index].failed = true;
  members_[index].most_grains = 0;
  if (shares_[index] > 0 || (!best_.empty() && best_[index] > 0)) start_over();
}

std::string resident_split::reason(std::size_t index) const {
  const member& one = members_[index];
  if (shares_[index] > 0 || grains_ == 0) return "";
  if (one.failed) return "it has failed";
  if (one.device && one.most_grains == 0) return "it has no memory for any of the data";
  if (by_hand_) return "the shares by hand give it nothing";
  if (!one.model.known())
    return is_hopeless(index) ? "it is believed to be too slow to help" : "its speed is not known yet";
  if (best_by_models() && broken_promises_ >= measured_thresholds.few)
    return "tried with a part it did not make steps shorter";
  return "it would make a step less than 2 % shorter";
}

// The size of a member's part, in grains of full size.
double resident_split::size_of(std::size_t index) const {
  std::size_t last = 0;
  if (shares_[0] == 0 || members_[0].device) {
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      if (shares_[i] > 0) last = i;
    }
  }
  return shares_[index] - (index == last ? 1 - options_.last_grain : 0);
}

// The pool needs a larger probe than its first, because most of a small part's time may be a fixed cost.
// Devices get no larger probe, because another device would have to give up data for it. Two GPUs that held
// half of 3.2 GB each had to move all of it once more, a quarter of the job (decision 13).
bool resident_split::is_measured(std::size_t index) const {
  const member& one = members_[index];
  if (one.most_grains == 0) return true;
  if (!one.model.known()) return is_hopeless(index);
  const double largest = one.model.largest();
  return one.device || largest >= one.most_grains || one.model.has_line() || best_seconds_ == 0 ||
         one.model.seconds(largest) >= (1 - measured_thresholds.least_gain) * best_seconds_;
}

bool resident_split::is_hopeless(std::size_t index) const {
  return !members_[index].device && best_seconds_ > 0 &&
         options_.pool_seconds * measured_thresholds.least_gain > best_seconds_;
}

// Gives a member up to `grains` of the grains that nobody has, but no more than it has room for.
void resident_split::give(dealt& deal, std::size_t index, std::uint32_t grains) const {
  const std::uint32_t count = std::min({grains, deal.left, members_[index].most_grains - deal.shares[index]});
  deal.shares[index] += count;
  deal.left -= count;
}

// Shares that measure members of unknown speed at a bounded cost. All devices are measured first and at once,
// so that they can keep their data. Then the pool gets a small part, then a larger or a smaller one.
std::optional<std::vector<std::uint32_t>> resident_split::probe() const {
  dealt deal{std::vector<std::uint32_t>(members_.size(), 0), grains_};
  std::vector<std::size_t> fresh;
  std::optional<std::size_t> once_more;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (is_measured(i)) continue;
    if (members_[i].device && !members_[i].model.known()) fresh.push_back(i);
    if (!once_more) once_more = i;
  }
  if (!once_more) return std::nullopt;
  if (fresh.empty()) {
    give(deal, *once_more, probe_size(*once_more));
    // The other members keep their shares of the best split.
    for (std::size_t i = 0; i < members_.size() && !best_.empty(); ++i) {
      if (i != *once_more) give(deal, i, best_[i]);
    }
  }
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const auto others = static_cast<std::uint32_t>(fresh.size() - i);
    give(deal, fresh[i], (deal.left + others - 1) / others);
  }
  // Gives the remaining grains to any members with room.
  for (std::size_t i = members_.size(); i-- > 0;) give(deal, i, deal.left);
  return deal.left == 0 ? std::optional(deal.shares) : std::nullopt;
}

std::uint32_t resident_split::probe_size(std::size_t index) const {
  const step_model& model = members_[index].model;
  if (!model.known()) return std::max<std::uint32_t>(1, grains_ / iterative_thresholds::probe_part);
  const auto largest = static_cast<std::uint32_t>(std::ceil(model.largest()));
  const bool may_be_long =
      iterative_thresholds::probe_growth * model.seconds(model.largest()) > best_seconds_;
  return may_be_long && largest >= iterative_thresholds::probe_growth
             ? largest / iterative_thresholds::probe_growth
             : iterative_thresholds::probe_growth * largest;
}

// Shares with which all `active` members end together, as far as their memory allows. No value: they cannot
// hold all grains.
std::optional<resident_split::candidate> resident_split::filled_up(
    const std::vector<std::size_t>& active) const {
  candidate found{std::vector<std::uint32_t>(members_.size(), 0), 0};
  std::vector<std::size_t> open = active;
  double left = grains_;
  double level = 0;
  std::vector<executor_forecast> all;
  while (true) {
    all.clear();
    for (const std::size_t index : open) {
      const step_model& model = members_[index].model;
      all.push_back({model.fixed(), model.per_grain()});
    }
    if (left > 0 && all.empty()) return std::nullopt;
    level = all.empty() ? 0 : water_level(left, all);
    // A member without enough memory gets all that it can hold, and the others share the rest.
    const auto full = std::find_if(open.begin(), open.end(), [&](std::size_t index) {
      const step_model& model = members_[index].model;
      return share_below(level, {model.fixed(), model.per_grain()}) > members_[index].most_grains;
    });
    if (full == open.end()) break;
    found.shares[*full] = members_[*full].most_grains;
    left -= members_[*full].most_grains;
    open.erase(full);
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    found.shares[open[i]] = static_cast<std::uint32_t>(share_below(level, all[i]));
  // Each remaining whole grain goes to the member that would end it first.
  for (std::uint32_t rest = grains_ - sum(found.shares); rest > 0; --rest) {
    std::optional<std::size_t> next;
    double soonest = std::numeric_limits<double>::infinity();
    for (const std::size_t index : active) {
      if (found.shares[index] == members_[index].most_grains) continue;
      const double then = members_[index].model.seconds(found.shares[index] + 1.0);
      if (then < soonest) {
        soonest = then;
        next = index;
      }
    }
    if (!next) return std::nullopt;
    ++found.shares[*next];
  }
  found.seconds = expected_seconds(found.shares);
  return found;
}

double resident_split::expected_seconds(const std::vector<std::uint32_t>& shares) const {
  double longest = 0;
  std::size_t busy = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (shares[i] == 0) continue;
    ++busy;
    longest = std::max(longest, members_[i].model.seconds(shares[i]));
  }
  return busy > 1 ? longest + together_seconds_ : longest;
}

// Computes shares for all members, then leaves out each member that does not shorten a step enough.
std::optional<resident_split::candidate> resident_split::best_by_models() const {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].model.known() && members_[i].most_grains > 0) active.push_back(i);
  }
  auto found = filled_up(active);
  while (found && active.size() > 1) {
    std::optional<candidate> shorter;
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      std::vector<std::size_t> others = active;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      auto without = filled_up(others);
      if (without && (!shorter || without->seconds < shorter->seconds)) {
        shorter = std::move(without);
        leaves = i;
      }
    }
    if (!shorter || found->seconds <= (1 - measured_thresholds.least_gain) * shorter->seconds) break;
    found = std::move(shorter);
    active.erase(active.begin() + static_cast<std::ptrdiff_t>(leaves));
  }
  return found;
}

void resident_split::hand_out(std::vector<std::uint32_t> shares) {
  if (shares == shares_) return;
  if (stepped_) ++changes_;
  shares_ = std::move(shares);
  times_.clear();
  steps_ = 0;
  considered_steps_ = 0;
  lost_seconds_ = 0;
}

void resident_split::place_without_speeds() {
  dealt deal{std::vector<std::uint32_t>(members_.size(), 0), grains_};
  const auto devices = static_cast<double>(std::count_if(
      members_.begin(), members_.end(), [](const member& one) { return one.device && !one.failed; }));
  // If the share is not set by hand, the devices divide the grains equally.
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i].device || members_[i].failed) continue;
    give(deal, i,
         by_hand_ ? static_cast<std::uint32_t>(std::llround(*by_hand_ / devices * grains_))
                  : static_cast<std::uint32_t>(std::ceil(grains_ / devices)));
  }
  for (std::size_t i = 0; i < members_.size() && deal.left > 0; ++i) give(deal, i, deal.left);
  hand_out(std::move(deal.shares));
  best_seconds_ = 0;
  probing_ = false;
}

// Forgets the best split, because a device holds less than before or is gone.
void resident_split::start_over() {
  best_seconds_ = 0;
  best_.clear();
  broken_promises_ = 0;
  probing_ = false;
  if (by_hand_) return place_without_speeds();
  if (auto first = probe()) {
    hand_out(std::move(*first));
    probing_ = true;
  } else if (auto found = best_by_models()) {
    hand_out(std::move(found->shares));
  } else {
    place_without_speeds();
  }
}

void resident_split::decide() {
  if (by_hand_ || grains_ == 0) return;
  const double now = typical(times_);
  if (steps_ < confirmed_by) return;

  const bool is_best = best_seconds_ > 0 && shares_ == best_;
  if (is_best) {
    best_seconds_ = now;
    if (std::abs(now - settled_seconds_) > surprise * settled_seconds_ &&
        steps_ >= iterative_thresholds::typical_steps) {
      settled_seconds_ = now;
      broken_promises_ = 0;
    }
  } else if (best_seconds_ > 0 && !probing_ && steps_ < iterative_thresholds::typical_steps &&
             std::abs(now - best_seconds_) < iterative_thresholds::clear_difference * best_seconds_) {
    return;  // this difference may still be noise
  } else if (best_seconds_ == 0 || now < best_seconds_) {
    // Half of a small promised gain may be luck.
    if (!probing_ && best_seconds_ > 0 && now > (best_seconds_ + promised_seconds_) / 2 &&
        now > (1 - iterative_thresholds::lucky_difference) * best_seconds_)
      ++broken_promises_;
    best_ = shares_;
    best_seconds_ = settled_seconds_ = now;
  } else {
    if (!probing_) ++broken_promises_;
    hand_out(best_);
  }
  if (probing_) {
    probing_ = false;
    if (auto another = probe()) {
      probing_ = true;
      return hand_out(std::move(*another));
    }
  }
  if (members_.size() < 2 || broken_promises_ >= measured_thresholds.few) return;

  // Asking the models takes a tenth of a step of 16 us.
  if (steps_ > iterative_thresholds::settled_steps && steps_ % iterative_thresholds::settled_steps != 0 &&
      std::abs(now - considered_seconds_) < iterative_thresholds::lucky_difference * considered_seconds_)
    return;
  considered_seconds_ = now;
  const std::uint64_t considered_steps = std::exchange(considered_steps_, steps_);
  auto found = best_by_models();
  if (!found) return;
  if (planned_.empty()) {
    planned_ = found->shares;
    planned_seconds_ = found->seconds;
  }
  if (found->shares == best_) return;
  // The longest of several noisy times is longer than the models say. So a promise must beat both the
  // measured and the expected time of the best split.
  if (found->seconds >
      (1 - measured_thresholds.least_gain) * std::min(best_seconds_, expected_seconds(best_)))
    return;
  std::uint32_t copied = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].device && found->shares[i] > shares_[i]) copied += found->shares[i] - shares_[i];
  }
  lost_seconds_ += (best_seconds_ - found->seconds) * static_cast<double>(steps_ - considered_steps);
  if (lost_seconds_ < copied * options_.copy_seconds_per_grain) return;
  promised_seconds_ = found->seconds;
  hand_out(std::move(found->shares));
}

}  // namespace duomap::scheduler
