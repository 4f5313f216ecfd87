#include "scheduler/profile/task_profile.hpp"

#include <algorithm>
#include <cmath>

namespace duomap::scheduler {
namespace {

// ln 1.28: more than that is a surprise.
constexpr double surprise = 0.25;
constexpr std::uint32_t most_surprises = 2;
// A new run counts as much as seven old ones.
constexpr std::uint32_t most_runs = 8;

// `in` is a task_profile, const or not.
auto find(auto& in, const std::string& name) {
  const auto found = std::find_if(in.executors.begin(), in.executors.end(),
                                  [&](const executor_profile& one) { return one.name == name; });
  return found == in.executors.end() ? nullptr : &*found;
}

}  // namespace

std::string profile_name(const std::string& executor, unsigned workers) {
  return workers > 1 ? executor + " x " + std::to_string(workers) : executor;
}

bool trusted(const executor_profile& one, const task_profile& whole, std::int64_t now) {
  const std::int64_t age = now - whole.stored_at;
  return age >= 0 && age <= trusted_for_seconds && one.surprises < most_surprises;
}

std::vector<executor_model> models_for(const task_profile& remembered, bool exact, std::int64_t now,
                                       std::span<const std::string> executors) {
  std::vector<executor_model> models;
  for (const std::string& name : executors) {
    models.emplace_back();
    const executor_profile* const known = find(remembered, name);
    if (known == nullptr) continue;
    models.back() = known->model;
    models.back().trusted = exact && trusted(*known, remembered, now);
  }
  return models;
}

task_profile updated(task_profile remembered, std::span<const executor_report> measured, std::int64_t now) {
  bool changed = false;
  for (const executor_report& report : measured) {
    if (!(report.seconds_per_unit > 0) || report.units == 0 || !report.trouble.empty()) continue;
    executor_profile fresh{.name = profile_name(report.name, report.workers),
                           .model = {.seconds_per_grain = report.seconds_per_unit,
                                     .claim_seconds = report.claim_seconds,
                                     .start_seconds = report.start_seconds,
                                     .end_seconds = report.commit_seconds,
                                     .alone_seconds_per_grain = report.alone_seconds_per_unit,
                                     .beside = report.beside},
                           .deviation = report.deviation,
                           .copy_per_unit = report.copy_seconds / static_cast<double>(report.units),
                           .compute_per_unit = report.compute_seconds / static_cast<double>(report.units),
                           .runs = 1,
                           .surprises = 0};
    changed = true;
    executor_profile* const known = find(remembered, fresh.name);
    if (known == nullptr) {
      remembered.executors.push_back(std::move(fresh));
      continue;
    }
    executor_profile& old = *known;
    const double off = std::log(fresh.model.seconds_per_grain / old.model.seconds_per_grain);
    if (!(std::abs(off) <= surprise)) {
      fresh.surprises = old.surprises + 1;
      if (fresh.model.claim_seconds == 0) fresh.model.claim_seconds = old.model.claim_seconds;
      if (!fresh.model.beside) fresh.model.beside = old.model.beside;
      old = std::move(fresh);
      continue;
    }
    old.runs = std::min(old.runs + 1, most_runs);
    const double weight = 1.0 / old.runs;
    const auto blend = [&](double& value, double measurement) {
      value += weight * (measurement - value);
    };
    blend(old.model.seconds_per_grain, fresh.model.seconds_per_grain);
    // Chunks of nearly one size say nothing of what each costs.
    if (fresh.model.claim_seconds > 0) blend(old.model.claim_seconds, fresh.model.claim_seconds);
    // A start that took a tenth of the others was of a device that need not be started.
    if (fresh.model.start_seconds > old.model.start_seconds / 10)
      blend(old.model.start_seconds, fresh.model.start_seconds);
    blend(old.model.end_seconds, fresh.model.end_seconds);
    if (fresh.model.alone_seconds_per_grain > 0) {
      double& alone = old.model.alone_seconds_per_grain;
      if (alone > 0) {
        blend(alone, fresh.model.alone_seconds_per_grain);
      } else {
        alone = fresh.model.alone_seconds_per_grain;
      }
    }
    if (fresh.model.beside) old.model.beside = fresh.model.beside;
    blend(old.deviation, fresh.deviation);
    blend(old.copy_per_unit, fresh.copy_per_unit);
    blend(old.compute_per_unit, fresh.compute_per_unit);
    old.surprises = 0;
  }
  if (changed) remembered.stored_at = now;
  return remembered;
}

}  // namespace duomap::scheduler
