// Finds the profiles that fit an executor, and blends new measurements into them.
#include "scheduler/history/task_profile.hpp"

#include "scheduler/history/learning.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace duomap::scheduler {
namespace {

// `in` is a task_profile, const or not.
auto find(auto& in, const identity& wanted) {
  const auto found = std::find_if(in.executors.begin(), in.executors.end(),
                                  [&](const executor_profile& one) { return one.is == wanted; });
  return found == in.executors.end() ? nullptr : &*found;
}

// The latest profile whose facts agree with the wanted ones. An empty wanted fact is not known yet, and
// agrees with any fact.
const executor_profile* find_known(const task_profile& in, const identity& wanted) {
  const auto agrees = [&](const executor_profile& one) {
    return one.is.name == wanted.name &&
           std::equal(one.is.facts.begin(), one.is.facts.end(), wanted.facts.begin(), wanted.facts.end(),
                      [](const auto& was, const auto& is) {
                        return was.first == is.first && (is.second.empty() || was.second == is.second);
                      });
  };
  const executor_profile* latest = nullptr;
  for (const executor_profile& one : in.executors) {
    if (agrees(one) && (latest == nullptr || one.stored_at > latest->stored_at)) latest = &one;
  }
  return latest;
}

// The latest profile with that name.
const executor_profile* find_hint(const task_profile& in, const std::string& name) {
  const executor_profile* latest = nullptr;
  for (const executor_profile& one : in.executors) {
    if (one.is.name == name && (latest == nullptr || one.stored_at > latest->stored_at)) latest = &one;
  }
  return latest;
}

void forget_oldest(task_profile& in, const std::string& name) {
  const auto alike = [&](const executor_profile& one) {
    return one.is.name == name;
  };
  if (std::count_if(in.executors.begin(), in.executors.end(), alike) <= std::ptrdiff_t{most_alike}) return;
  auto oldest = in.executors.end();
  for (auto one = in.executors.begin(); one != in.executors.end(); ++one) {
    if (alike(*one) && (oldest == in.executors.end() || one->stored_at < oldest->stored_at)) oldest = one;
  }
  in.executors.erase(oldest);
}

void add(task_profile& to, executor_profile one) {
  const std::string name = one.is.name;
  to.executors.push_back(std::move(one));
  forget_oldest(to, name);
}

// The profile of an executor from a single run. No value: the run did not measure the executor.
std::optional<executor_profile> profile_of(const executor_report& report, const identity& is,
                                           std::int64_t now) {
  if (!(report.seconds_per_unit > 0) || report.units == 0 || !report.trouble.empty()) return std::nullopt;
  const auto units = static_cast<double>(report.units);
  return executor_profile{.is = is,
                          .stored_at = now,
                          .model = {.seconds_per_unit = report.seconds_per_unit,
                                    .claim_seconds = report.claim_seconds,
                                    .end_seconds = report.commit_seconds,
                                    .solo_seconds_per_unit = report.alone_seconds_per_unit,
                                    .co_run_share = report.beside},
                          .deviation = report.deviation,
                          .copy_per_unit = report.copy_seconds / units,
                          .compute_per_unit = report.compute_seconds / units,
                          .runs = 1};
}

bool is_near(double seconds, double known) { return std::abs(std::log(seconds / known)) <= surprise; }

void blend(executor_profile& old, const executor_profile& fresh) {
  old.runs = std::min(old.runs, most_runs - 1) + 1;
  const double weight = 1.0 / old.runs;
  const auto move = [&](double& value, double measurement) {
    value += weight * (measurement - value);
  };
  // A run may not measure every value. For example, chunks of nearly one size do not show their fixed cost.
  const auto move_if_measured = [&](double& value, double measurement) {
    if (measurement > 0) value > 0 ? move(value, measurement) : void(value = measurement);
  };
  move(old.model.seconds_per_unit, fresh.model.seconds_per_unit);
  move_if_measured(old.model.claim_seconds, fresh.model.claim_seconds);
  move_if_measured(old.model.solo_seconds_per_unit, fresh.model.solo_seconds_per_unit);
  if (fresh.model.co_run_share) old.model.co_run_share = fresh.model.co_run_share;
  move(old.model.end_seconds, fresh.model.end_seconds);
  move(old.deviation, fresh.deviation);
  // The pool reads a single .gz much slower than bgzip, so only the last measurement counts.
  old.is.name == "cpu" ? void(old.copy_per_unit = fresh.copy_per_unit)
                       : move(old.copy_per_unit, fresh.copy_per_unit);
  move(old.compute_per_unit, fresh.compute_per_unit);
  old.stored_at = fresh.stored_at;
  old.surprises = 0;
}

}  // namespace

bool trusted(const executor_profile& one, std::int64_t now) {
  return is_recent(one.stored_at, now) && one.surprises < confirmed_by;
}

std::vector<executor_model> models_for(const task_profile& remembered, std::span<const identity> executors,
                                       std::int64_t now) {
  std::vector<executor_model> models;
  for (const identity& wanted : executors) {
    executor_model& model = models.emplace_back();
    if (const executor_profile* const known = find_known(remembered, wanted)) {
      model = known->model;
      model.trusted = trusted(*known, now);
      model.at_most = known->short_run > 0;
      if (wanted.name == "cpu") model.read_seconds_per_unit = known->copy_per_unit;
    } else if (const executor_profile* const hint = find_hint(remembered, wanted.name)) {
      model = hint->model;
      model.trusted = false;
    }
  }
  return models;
}

std::optional<double> device_seconds_per_unit(const task_profile& remembered) {
  std::optional<double> least;
  for (const executor_profile& one : remembered.executors) {
    if (one.is.name == "cpu" || !one.model.known()) continue;
    const double solo = one.model.solo_seconds_per_unit;
    const double takes = solo > 0 ? solo : one.model.seconds_per_unit;
    least = least ? std::min(*least, takes) : takes;
  }
  return least;
}

task_profile updated(task_profile remembered, std::span<const executor_report> measured,
                     std::span<const identity> identities, std::int64_t now) {
  for (std::size_t i = 0; i < measured.size(); ++i) {
    auto fresh = profile_of(measured[i], identities[i], now);
    if (!fresh) continue;
    executor_profile* const old = find(remembered, identities[i]);
    if (old == nullptr) {
      add(remembered, std::move(*fresh));
    } else if (old->short_run > 0) {
      *old = std::move(*fresh);
    } else if (is_near(fresh->model.seconds_per_unit, old->model.seconds_per_unit)) {
      blend(*old, *fresh);
    } else {
      fresh->surprises = old->surprises + 1;
      if (fresh->model.claim_seconds == 0) fresh->model.claim_seconds = old->model.claim_seconds;
      if (!fresh->model.co_run_share) fresh->model.co_run_share = old->model.co_run_share;
      *old = std::move(*fresh);
    }
  }
  return remembered;
}

std::optional<task_profile> with_short_run(const task_profile& remembered,
                                           std::span<const executor_report> measured,
                                           std::span<const identity> identities, double seconds,
                                           std::int64_t now) {
  std::optional<task_profile> all;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].kind != executor_kind::pool) continue;
    const executor_profile* const known = find(remembered, identities[i]);
    const bool is_shorter = known != nullptr && known->short_run > 0 && known->short_run < seconds;
    if (known != nullptr && trusted(*known, now) && !is_shorter) continue;
    auto fresh = profile_of(measured[i], identities[i], now);
    if (!fresh) continue;
    fresh->short_run = seconds;
    if (!all) all = remembered;
    executor_profile* const old = find(*all, identities[i]);
    old == nullptr ? add(*all, std::move(*fresh)) : void(*old = std::move(*fresh));
  }
  return all;
}

}  // namespace duomap::scheduler
