#include "scheduler/history/crew_history.hpp"

#include "core/milliseconds_text.hpp"
#include "scheduler/iterative/step_model.hpp"
#include "scheduler/planner/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr const planner_thresholds& crew_thresholds = measured_thresholds;

// Two sizes for each doubling.
unsigned size_of(std::uint64_t units) {
  return static_cast<unsigned>(
      std::lround(2 * std::log2(static_cast<double>(std::max<std::uint64_t>(units, 1)))));
}

std::pair<std::string_view, unsigned> key_of(std::string_view task, std::uint64_t units) {
  return {task, size_of(units)};
}

std::optional<double> usual(const std::vector<double>& of) {
  if (of.empty()) return std::nullopt;
  std::array<double, crew_thresholds.kept_runs> some;
  const auto end = std::copy(of.begin(), of.end(), some.begin());
  const auto at = some.begin() + static_cast<std::ptrdiff_t>((of.size() - 1) / 4);
  std::nth_element(some.begin(), at, end);
  return *at;
}

}  // namespace

std::string reason_of(const crew_choice& choice) {
  if (choice.who == crew::both) return "";
  const bool pools = choice.who == crew::pools;
  std::string text = pools ? "no GPU used: " : "the CPU stood by: ";
  if (!choice.seconds)
    return text + (pools ? "to see what the CPU takes alone" : "to see what GPUs take alone");
  text += "runs of this size took " + milliseconds_text(*choice.seconds) + " without it";
  if (choice.otherwise) text += " and " + milliseconds_text(*choice.otherwise) + " otherwise";
  return text;
}

const crew_history::sized_runs* crew_history::find(std::string_view task, std::uint64_t units) const {
  const auto known = all_.find(key_of(task, units));
  return known == all_.end() ? nullptr : &known->second;
}

crew_choice crew_history::choose(std::string_view task, std::uint64_t units,
                                 std::optional<double> pools_seconds) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr) return {};
  const sized_runs& seen = *known;

  if (const auto beside = usual(seen.pools_beside)) {
    const double at_most = *beside * static_cast<double>(units);
    pools_seconds = std::min(at_most, pools_seconds.value_or(at_most));
  }
  std::array<std::optional<double>, crews> took;
  for (std::size_t i = 0; i < crews; ++i) {
    took[i] = usual(seen.seconds_per_unit[i]);
    if (took[i]) *took[i] *= static_cast<double>(units);
  }
  const auto better = [&](std::size_t one, std::size_t other) {
    const auto weighed = [&](std::size_t i) {
      return *took[i] * (static_cast<crew>(i) == crew::both ? 1 + crew_thresholds.least_difference : 1);
    };
    return other == crews || weighed(one) < weighed(other);
  };
  std::size_t best = crews;
  std::size_t second = crews;
  for (std::size_t i = 0; i < crews; ++i) {
    if (!took[i]) continue;
    if (better(i, best)) {
      second = std::exchange(best, i);
    } else if (better(i, second)) {
      second = i;
    }
  }
  const auto choice = [&](std::size_t who) {
    const std::size_t other = who == best ? second : best;
    crew_choice made{static_cast<crew>(who), 0, took[who],
                     other < crews ? took[other] : std::optional<double>()};
    if (made.who == crew::devices)
      made.stand_by_seconds = *took[best] * (who == best ? crew_thresholds.patience : 1);
    return made;
  };

  for (std::size_t i = 0; i < crews; ++i) {
    if (took[i]) continue;
    const bool promising = static_cast<crew>(i) != crew::pools ||
                           (pools_seconds && *pools_seconds < crew_thresholds.may_be_better * *took[best]);
    if (promising) return choice(i);
  }
  if (second == crews) return choice(best);
  for (std::size_t i = 0; i < crews; ++i) {
    const double than = i == best ? *took[second] : *took[best];
    if (seen.seconds_per_unit[i].size() == 1 && *took[i] < crew_thresholds.may_be_better * than &&
        than < crew_thresholds.may_be_better * *took[i])
      return choice(i);
  }
  if (seen.runs >= seen.next_retry && *took[second] < crew_thresholds.patience * *took[best])
    return choice(second);
  return choice(best);
}

std::optional<pools_alone> crew_history::pools(std::string_view task, std::uint64_t units) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr) return std::nullopt;
  const std::vector<double>& alone = known->seconds_per_unit[static_cast<std::size_t>(crew::pools)];
  if (alone.size() < crew_thresholds.few) return std::nullopt;
  return pools_alone{*std::min_element(alone.begin(), alone.end()) * static_cast<double>(units),
                     known->pools_seconds_per_unit};
}

std::optional<double> crew_history::devices(std::string_view task, std::uint64_t units) const {
  const std::lock_guard held(mutex_);
  const sized_runs* const known = find(task, units);
  if (known == nullptr) return std::nullopt;
  const std::vector<double>& alone = known->seconds_per_unit[static_cast<std::size_t>(crew::devices)];
  if (alone.empty()) return std::nullopt;
  return *std::min_element(alone.begin(), alone.end()) * static_cast<double>(units);
}

void crew_history::record(std::string_view task, std::uint64_t units, crew who, const crew_run& run) {
  if (units == 0 || !(run.seconds > 0)) return;
  const std::lock_guard held(mutex_);
  auto known = all_.find(key_of(task, units));
  if (known == all_.end()) known = all_.try_emplace({std::string(task), size_of(units)}).first;
  sized_runs& seen = known->second;
  std::vector<double>& mine = seen.seconds_per_unit[static_cast<std::size_t>(who)];
  const double per_unit = run.seconds / static_cast<double>(units);
  // What disturbs a run makes it longer: one that took much less than those before is what is to be expected.
  if (const auto before = usual(mine); before && crew_thresholds.may_be_better * per_unit < *before)
    mine.clear();
  keep_last(mine, per_unit, crew_thresholds.kept_runs);
  if (who == crew::pools && run.seconds_per_unit > 0) seen.pools_seconds_per_unit = run.seconds_per_unit;
  if (who == crew::both && run.pools_part > 0)
    keep_last(seen.pools_beside, per_unit / run.pools_part, crew_thresholds.kept_runs);
  if (seen.runs >= seen.next_retry) seen.next_retry = crew_thresholds.growth * seen.runs;
  ++seen.runs;
}

}  // namespace duomap::scheduler
