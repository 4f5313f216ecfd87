// Compares the times of sets of executors, and chooses the set of the next run.
#include "scheduler/history/executor_set_history.hpp"

#include "core/seconds_text.hpp"
#include "scheduler/models/keep_last.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr const planner_thresholds& executor_set_thresholds = measured_thresholds;

// The class of runs of this size. Each doubling of the size has two classes.
unsigned size_of(std::uint64_t units) {
  return static_cast<unsigned>(
      std::lround(2 * std::log2(static_cast<double>(std::max<std::uint64_t>(units, 1)))));
}

std::pair<std::string_view, unsigned> key_of(std::string_view task, std::uint64_t units) {
  return {task, size_of(units)};
}

std::optional<double> usual(const std::vector<double>& of) {
  if (of.empty()) return std::nullopt;
  std::array<double, executor_set_thresholds.kept_runs> some;
  const auto end = std::copy(of.begin(), of.end(), some.begin());
  const auto at = some.begin() + static_cast<std::ptrdiff_t>((of.size() - 1) / 4);
  std::nth_element(some.begin(), at, end);
  return *at;
}

}  // namespace

std::string reason_of(const executor_set_choice& choice) {
  if (choice.set == executor_set::both) return "";
  const bool pools = choice.set == executor_set::pools;
  std::string text = pools ? "no GPU used: " : "the CPU was held back: ";
  if (!choice.seconds)
    return text + (pools ? "to see what the CPU takes alone" : "to see what GPUs take alone");
  text += "runs of this size took " + seconds_text(*choice.seconds) + " without it";
  if (choice.otherwise) text += " and " + seconds_text(*choice.otherwise) + " otherwise";
  return text;
}

const executor_set_history::sized_runs* executor_set_history::find(std::string_view task,
                                                                   std::uint64_t units) const {
  const auto known = all_.find(key_of(task, units));
  return known == all_.end() ? nullptr : &known->second;
}

executor_set_choice executor_set_history::choose(std::string_view task, std::uint64_t units,
                                                 std::optional<double> pools_seconds) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr) return {};
  const sized_runs& seen = *known;

  if (const auto co_run = usual(seen.pools_in_co_run)) {
    const double at_most = *co_run * static_cast<double>(units);
    pools_seconds = std::min(at_most, pools_seconds.value_or(at_most));
  }
  std::array<std::optional<double>, executor_sets> took;
  for (std::size_t i = 0; i < executor_sets; ++i) {
    took[i] = usual(seen.seconds_per_unit[i]);
    if (took[i]) *took[i] *= static_cast<double>(units);
  }
  const auto better = [&](std::size_t one, std::size_t other) {
    const auto weighed = [&](std::size_t i) {
      return *took[i] * (static_cast<executor_set>(i) == executor_set::both
                             ? 1 + executor_set_thresholds.least_difference
                             : 1);
    };
    return other == executor_sets || weighed(one) < weighed(other);
  };
  std::size_t best = executor_sets;
  std::size_t second = executor_sets;
  for (std::size_t i = 0; i < executor_sets; ++i) {
    if (!took[i]) continue;
    if (better(i, best)) {
      second = std::exchange(best, i);
    } else if (better(i, second)) {
      second = i;
    }
  }
  const auto choice = [&](std::size_t index) {
    const std::size_t other = index == best ? second : best;
    executor_set_choice made{static_cast<executor_set>(index), 0, took[index],
                             other < executor_sets ? took[other] : std::optional<double>()};
    if (made.set == executor_set::devices)
      made.hold_back_seconds = *took[best] * (index == best ? executor_set_thresholds.patience : 1);
    return made;
  };

  for (std::size_t i = 0; i < executor_sets; ++i) {
    if (took[i]) continue;
    const bool promising =
        static_cast<executor_set>(i) != executor_set::pools ||
        (pools_seconds && *pools_seconds < executor_set_thresholds.disturbed * *took[best]);
    if (promising) return choice(i);
  }
  if (second == executor_sets) return choice(best);
  for (std::size_t i = 0; i < executor_sets; ++i) {
    const double than = i == best ? *took[second] : *took[best];
    if (seen.seconds_per_unit[i].size() == 1 && *took[i] < executor_set_thresholds.disturbed * than &&
        than < executor_set_thresholds.disturbed * *took[i])
      return choice(i);
  }
  if (seen.runs < seen.next_retry) return choice(best);
  // Of the sets that may be better, the one with the fewest runs is tried. A single slow run of devices says
  // nothing, because the first run of a task prepares the later ones.
  std::size_t again = best;
  for (std::size_t i = 0; i < executor_sets; ++i) {
    if (i == best || !took[i]) continue;
    const std::size_t runs = seen.seconds_per_unit[i].size();
    const bool may_be_better = *took[i] < executor_set_thresholds.patience * *took[best] ||
                               (static_cast<executor_set>(i) == executor_set::devices && runs == 1);
    if (may_be_better && (again == best || runs < seen.seconds_per_unit[again].size())) again = i;
  }
  return choice(again);
}

std::optional<pools_solo> executor_set_history::pools(std::string_view task, std::uint64_t units) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr) return std::nullopt;
  const std::vector<double>& solo = known->seconds_per_unit[static_cast<std::size_t>(executor_set::pools)];
  if (solo.size() < executor_set_thresholds.few) return std::nullopt;
  return pools_solo{*std::min_element(solo.begin(), solo.end()) * static_cast<double>(units),
                    known->pools_seconds_per_unit};
}

std::optional<double> executor_set_history::devices(std::string_view task, std::uint64_t units) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr || known->devices_seconds_per_unit == 0) return std::nullopt;
  return known->devices_seconds_per_unit * static_cast<double>(units);
}

bool executor_set_history::is_first_with_devices(std::string_view task) {
  const std::lock_guard held(mutex_);
  if (with_devices_.contains(task)) return false;
  with_devices_.emplace(task);
  return true;
}

void executor_set_history::record(std::string_view task, std::uint64_t units, executor_set set,
                                  const executor_set_run& run) {
  if (units == 0 || !(run.seconds > 0)) return;
  const std::lock_guard held(mutex_);
  auto known = all_.find(key_of(task, units));
  if (known == all_.end()) known = all_.try_emplace({std::string(task), size_of(units)}).first;
  sized_runs& seen = known->second;
  const double per_unit = run.seconds / static_cast<double>(units);
  const auto keep = [&](executor_set one) {
    std::vector<double>& mine = seen.seconds_per_unit[static_cast<std::size_t>(one)];
    // Disturbances only make runs longer. So a run that took much less than the earlier ones shows the usual
    // time, and the earlier ones are dropped.
    if (const auto before = usual(mine); before && executor_set_thresholds.disturbed * per_unit < *before)
      mine.clear();
    keep_last(mine, per_unit, executor_set_thresholds.kept_runs);
  };
  keep(set);
  if (set == executor_set::pools && run.seconds_per_unit > 0)
    seen.pools_seconds_per_unit = run.seconds_per_unit;
  // If devices did all of a co-run, the run also shows their solo time.
  const bool by_devices = set == executor_set::both && run.pools_part == 0;
  if (by_devices) keep(executor_set::devices);
  if ((by_devices || set == executor_set::devices) && run.device_seconds > 0) {
    double& least = seen.devices_seconds_per_unit;
    const double device = run.device_seconds / static_cast<double>(units);
    least = least > 0 ? std::min(least, device) : device;
  }
  if (set == executor_set::both && run.pools_part > 0)
    keep_last(seen.pools_in_co_run, per_unit / run.pools_part, executor_set_thresholds.kept_runs);
  if (seen.runs >= seen.next_retry) seen.next_retry = executor_set_thresholds.growth * seen.runs;
  ++seen.runs;
}

}  // namespace duomap::scheduler
