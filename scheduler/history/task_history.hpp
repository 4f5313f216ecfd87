// Connects a run with the stored profile of its task.
#pragma once

#include "core/report.hpp"
#include "scheduler/history/profile_store.hpp"
#include "scheduler/history/start_account.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

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

/// Connects one run of a task with the stored profiles. Only one thread uses the object.
class task_history {
 public:
  /// `now`: seconds since 1970.
  task_history(profile_store store, std::string task, std::int64_t now)
    : store_(std::move(store)),
      task_(std::move(task)),
      where_(store_.file_of(task_)),
      now_(now),
      profile_(store_.load(task_)) {}

  [[nodiscard]] std::vector<executor_model> models(std::span<const identity> executors) const {
    return profile_ ? models_for(*profile_, executors, now_) : std::vector<executor_model>(executors.size());
  }

  /// The worth of devices to the last process that ran the task, in seconds (start_account.hpp). It is 0 if
  /// nothing is known, or if a run of `units` is less than half as large as that process's largest run.
  [[nodiscard]] double worth(std::uint64_t units) const noexcept {
    return profile_ && units >= profile_->worth_units / 2 ? profile_->worth : 0;
  }

  /// The least measured time of a device for a unit. No value: no device was measured.
  [[nodiscard]] std::optional<double> device_seconds_per_unit() const {
    return profile_ ? scheduler::device_seconds_per_unit(*profile_) : std::nullopt;
  }

  /// Learns from a successful run of `seconds` seconds, and stores the profile if that is allowed.
  /// Measurements of another machine or another program stay apart. `worth`: the worth of devices to this
  /// process so far, in seconds. If it is smaller than that of the last process, the remembered worth is
  /// halved, so that one wrong prediction is forgotten. It stays if all runs of this process are smaller than
  /// half of the remembered largest run.
  bool learn(std::span<const executor_report> measured, std::span<const identity> executors, double seconds,
             double worth = 0) {
    const double pays = worth_a_start();
    // The profile is stored at once if it now says that starting devices pays, because this process may end
    // within a second. This also holds for a run that is short only because of its devices.
    const bool at_once = worth >= pays && (!profile_ || profile_->worth < pays);
    const bool is_short = seconds < measured_thresholds.least_lesson_seconds;
    if (is_short && !at_once) return learn_short_run(measured, executors, seconds);
    auto profile = profile_ ? *profile_ : task_profile{.task = task_};
    if (!is_short) profile = updated(std::move(profile), measured, executors, now_);
    auto& process = start_account::of_this_process();
    double remembered = process.before(where_, profile.worth);
    const std::uint64_t largest = process.largest(where_, units_of(measured));
    if (largest >= profile.worth_units / 2) remembered /= 2;
    if (worth > 0 && worth >= remembered) profile.worth_units = largest;
    // The stored worth is at most the threshold, so that one process with a smaller worth undoes it.
    profile.worth = std::min(pays, std::max(worth, remembered));
    if (at_once || !profile.executors.empty()) return save(std::move(profile), at_once);
    profile_ = std::make_shared<const task_profile>(std::move(profile));
    return false;
  }

  /// Whether learn() failed to write a file that it should have written.
  [[nodiscard]] bool could_not_store() const noexcept { return could_not_store_; }

 private:
  static std::uint64_t units_of(std::span<const executor_report> measured) {
    std::uint64_t units = 0;
    for (const executor_report& one : measured) units += one.units;
    return units;
  }

  // Keeps the measurements of a very short run, but only in this process.
  bool learn_short_run(std::span<const executor_report> measured, std::span<const identity> executors,
                       double seconds) {
    const task_profile nothing{.task = task_};
    auto more = with_short_run(profile_ ? *profile_ : nothing, measured, executors, seconds, now_);
    if (!more) return false;
    if (seconds >= measured_thresholds.least_stored_seconds) return save(std::move(*more), false);
    profile_ = std::make_shared<const task_profile>(*more);
    store_.remember(std::move(*more));
    return false;
  }

  bool save(task_profile profile, bool at_once) {
    std::erase_if(profile.executors, [](const executor_profile& one) {
      return one.short_run > 0 && one.short_run < measured_thresholds.least_stored_seconds;
    });
    profile_ = std::make_shared<const task_profile>(profile);
    const bool stored = store_.save(std::move(profile), at_once);
    could_not_store_ = store_.writes() && !stored;
    return stored;
  }

  profile_store store_;
  std::string task_;
  std::string where_;  // the file of the profile
  std::int64_t now_;
  std::shared_ptr<const task_profile> profile_;  // nullptr: nothing is known
  bool could_not_store_ = false;
};

}  // namespace duomap::scheduler
