// What is known of a task before a run, and learned from it.
#pragma once

#include "core/report.hpp"
#include "scheduler/profile/profile_store.hpp"
#include "scheduler/profile/short_lessons.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// A run that was shorter teaches little and is not stored, which takes a tenth of a millisecond; what it
/// shows of pools is kept in the process (short_lessons.hpp).
inline constexpr double least_lesson_seconds = 10e-3;

/// Connects one run of a task with the store. Used by one thread.
class task_memory {
 public:
  /// `now`: seconds since 1970.
  task_memory(profile_store store, std::string task, std::int64_t now) : store_(std::move(store)), now_(now) {
    if (auto known = store_.load(task)) {
      profile_ = std::move(*known);
    } else {
      profile_.task = std::move(task);
    }
  }

  /// For a run with these executors.
  [[nodiscard]] std::vector<executor_model> models(std::span<const identity> executors) const {
    std::vector<executor_model> models = models_for(profile_, executors, now_);
    const auto lesson = short_lessons::of_this_process().find(store_.path_of(profile_.task).native());
    if (!lesson || lesson->task != profile_.task) return models;
    const std::vector<executor_model> shown = models_for(*lesson, executors, now_);
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (!(models[i].known() && models[i].trusted) && shown[i].known()) models[i] = shown[i];
    }
    return models;
  }

  /// Learns from a run of `seconds` seconds that ended well, and stores it if it may. The first `pools` of
  /// its executors are none of devices. What was measured on another machine or with another program stays
  /// apart.
  bool learn(std::span<const executor_report> measured, std::span<const identity> executors,
             std::size_t pools, double seconds) {
    if (seconds < least_lesson_seconds) {
      const std::string where = store_.path_of(profile_.task).native();
      auto& lessons = short_lessons::of_this_process();
      if (lessons.wants(where, seconds))
        lessons.keep(
            where, seconds,
            updated({.task = profile_.task, .executors = {}}, measured.first(pools), executors, now_));
      return false;
    }
    profile_ = updated(std::move(profile_), measured, executors, now_);
    return !profile_.executors.empty() && store_.save(profile_);
  }

 private:
  profile_store store_;
  std::int64_t now_;
  task_profile profile_;
};

}  // namespace duomap::scheduler
