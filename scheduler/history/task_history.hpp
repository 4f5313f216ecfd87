// What is known of a task before a run, and learned from it.
#pragma once

#include "core/report.hpp"
#include "scheduler/history/profile_store.hpp"
#include "scheduler/history/short_lessons.hpp"
#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/planner_thresholds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Connects one run of a task with the store. Used by one thread.
class task_history {
 public:
  /// `now`: seconds since 1970.
  task_history(profile_store store, std::string task, std::int64_t now)
    : store_(std::move(store)),
      task_(std::move(task)),
      where_(store_.file_of(task_)),
      now_(now),
      profile_(store_.load(task_)) {}

  /// For a run with these executors.
  [[nodiscard]] std::vector<executor_model> models(std::span<const identity> executors) const {
    auto models =
        profile_ ? models_for(*profile_, executors, now_) : std::vector<executor_model>(executors.size());
    const auto lesson = short_lessons::of_this_process().find(where_);
    if (!lesson || lesson->task != task_) return models;
    const std::vector<executor_model> shown = models_for(*lesson, executors, now_);
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (!(models[i].known() && models[i].trusted) && shown[i].known()) models[i] = shown[i];
    }
    return models;
  }

  /// What devices were worth to the process before that ran the task, in seconds (start_account.hpp); 0 when
  /// nothing is known.
  [[nodiscard]] double worth() const noexcept { return profile_ ? profile_->worth : 0; }

  /// The least that a device was ever seen to take for a unit; nothing when none was.
  [[nodiscard]] std::optional<double> device_seconds_per_unit() const {
    return profile_ ? scheduler::device_seconds_per_unit(*profile_) : std::nullopt;
  }

  /// Learns from a run of `seconds` seconds that ended well, and stores it if it may. What short ones show of
  /// pools is kept in the process (short_lessons.hpp). What was measured on another machine or with another
  /// program stays apart. `worth`: what devices were worth to this process so far, in seconds. A process that
  /// gains less than the one before halves what is remembered, so that one wrong prediction is forgotten.
  bool learn(std::span<const executor_report> measured, std::span<const identity> executors, double seconds,
             double worth = 0) {
    const task_profile nothing{.task = task_};
    const double pays = worth_a_start();
    // A process that is worth starting devices for tells the others at once: it may end within a second. Also
    // by a run that is short only because of its devices.
    const bool at_once = worth >= pays && this->worth() < pays;
    const bool is_short = seconds < measured_thresholds.least_lesson_seconds;
    if (is_short) {
      auto& lessons = short_lessons::of_this_process();
      if (lessons.wants(where_, seconds))
        lessons.keep(where_, seconds, updated(nothing, measured, executors, now_, executor_kind::pool));
      if (!at_once) return false;
    }
    auto profile = profile_ ? *profile_ : nothing;
    if (!is_short) profile = updated(std::move(profile), measured, executors, now_);
    // No more than what decides, so that one process that gains less forgets it.
    profile.worth =
        std::min(pays, std::max(worth, start_account::of_this_process().before(where_, profile.worth) / 2));
    profile_ = std::make_shared<const task_profile>(profile);
    if (!at_once && profile.executors.empty()) return false;
    const bool stored = store_.save(std::move(profile), at_once);
    could_not_store_ = store_.writes() && !stored;
    return stored;
  }

  /// Whether learn() was to write a file and could not.
  [[nodiscard]] bool could_not_store() const noexcept { return could_not_store_; }

 private:
  profile_store store_;
  std::string task_;
  std::string where_;  // the profile would be stored
  std::int64_t now_;
  std::shared_ptr<const task_profile> profile_;  // nullptr: nothing is known
  bool could_not_store_ = false;
};

}  // namespace duomap::scheduler
