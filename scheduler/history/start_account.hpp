// Decides when a process starts its devices, by comparing the time that they would have saved with the cost
// of a start.
#pragma once

#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// A process does not know how many runs will come, as in the problem of renting or buying. Each run without
/// devices costs the time that devices would have saved, and a start costs once. The process starts its
/// devices as soon as the missed savings reach the cost of a start to a process that ends then. So it takes
/// at most twice the time of the best choice in hindsight (Karlin, Manasse, Rudolph, Sleator: Competitive
/// snoopy caching, Algorithmica 3, 1988, section 1). A start runs in the background. It costs only the time
/// for which the process waits at its end, if it ends before the start does.
///
/// If devices saved time for the same task in an earlier process, they are expected to save it again. They
/// start with the first run that is not much smaller than the runs of that process. A wrong prediction costs
/// one start.
///
/// Any thread may call it.
class start_account {
 public:
  /// Adds a run without devices. Devices would have saved `seconds`.
  void missed(double seconds) {
    const std::lock_guard held(mutex_);
    missed_before_last_ = missed_;
    missed_ += seconds;
  }

  /// Adds a run with devices, which saved `seconds`.
  void saved(double seconds) {
    const std::lock_guard held(mutex_);
    saved_ += seconds;
  }

  /// Adds `seconds` of work by devices.
  void worked(double seconds) {
    const std::lock_guard held(mutex_);
    worked_ += seconds;
  }

  [[nodiscard]] double worked() const {
    const std::lock_guard held(mutex_);
    return worked_;
  }

  /// Adds the duration of a run, with devices or without.
  void spent(double seconds) {
    const std::lock_guard held(mutex_);
    spent_ += seconds;
  }

  [[nodiscard]] double spent() const {
    const std::lock_guard held(mutex_);
    return spent_;
  }

  [[nodiscard]] double saved() const {
    const std::lock_guard held(mutex_);
    return saved_;
  }

  [[nodiscard]] double missed() const {
    const std::lock_guard held(mutex_);
    return missed_;
  }

  /// The time that devices were worth to this process: the savings that it missed before they were started,
  /// and their savings since. The last run that missed them does not count, because devices started during
  /// that run would have come too late.
  [[nodiscard]] double worth() const {
    const std::lock_guard held(mutex_);
    return missed_before_last_ + saved_;
  }

  /// The known time of a start. It calls `ask` only once in a process, because `ask` reads a file.
  template <class Ask>
  [[nodiscard]] double start_seconds(const Ask& ask) {
    const std::lock_guard held(mutex_);
    if (!start_) start_ = ask();
    return *start_;
  }

  /// True once in a process: the caller then remembers the time of starting the devices.
  [[nodiscard]] bool learns_start() {
    const std::lock_guard held(mutex_);
    return !std::exchange(learned_start_, true);
  }

  /// The remembered worth of devices for a task, before this process added to it. It is the `now` of the
  /// first call for the task.
  [[nodiscard]] double before(const std::string& task, double now) {
    const std::lock_guard held(mutex_);
    return before_.try_emplace(task, now).first->second;
  }

  /// The units of the largest run of a task in this process, including one of `units` units.
  [[nodiscard]] std::uint64_t largest(const std::string& task, std::uint64_t units) {
    const std::lock_guard held(mutex_);
    std::uint64_t& most = largest_[task];
    return most = std::max(most, units);
  }

  [[nodiscard]] static start_account& of_this_process() {
    // The object is never destroyed, because a thread may still run a job and use it when the process ends.
    static start_account& all = *new start_account;
    return all;
  }

 private:
  mutable std::mutex mutex_;  // guards all fields below
  double spent_ = 0;
  double missed_ = 0;
  double missed_before_last_ = 0;
  double saved_ = 0;
  double worked_ = 0;
  std::optional<double> start_;
  bool learned_start_ = false;
  std::map<std::string, double> before_;
  std::map<std::string, std::uint64_t> largest_;
};

/// The facts about a start of devices, before a run.
struct start_outlook {
  double start = 0;     ///< the time of starting the devices; 0: not known
  double spent = 0;     ///< start_account::spent()
  double missed = 0;    ///< start_account::missed()
  double saved = 0;     ///< start_account::saved()
  double worked = 0;    ///< start_account::worked()
  double coming = 0;    ///< the time that devices are expected to save in this run
  double expected = 0;  ///< the worth of devices for this task in an earlier process; 0: not known
  /// The time of devices for this run alone, if it was measured.
  std::optional<double> device_seconds = std::nullopt;
};

/// The highest cost of a start to a process: the time to make a context. For `by` see planner_thresholds.hpp.
[[nodiscard]] constexpr double start_cost(double start, const planner_thresholds& by = measured_thresholds) {
  return by.start_cost_part * (start > 0 ? start : by.machine.background_start_seconds);
}

/// The savings that runs must have missed before a start. `cost`: start_cost(). The result is what a start
/// costs a process that ends just after the start has begun: the time to find the devices. A process that
/// ends later also pays for the context, but its runs have already lost that time.
[[nodiscard]] constexpr double saved_before_start(double cost,
                                                  const planner_thresholds& by = measured_thresholds) {
  return (1 / by.start_cost_part - 1) * cost;
}

/// The time that devices are expected to save if they are started during a run. The pools go on meanwhile,
/// and then devices and pools share the rest by speed. It is negative if the run ends before the start.
[[nodiscard]] constexpr double saved_during_start(double pool_seconds, double device_seconds, double start,
                                                  const planner_thresholds& by = measured_thresholds) {
  const double left = pool_seconds - (start > 0 ? start : by.machine.background_start_seconds);
  return left * pool_seconds / (pool_seconds + device_seconds);
}

/// The time that devices must have saved in a process before the next process starts them at once.
[[nodiscard]] constexpr double worth_a_start(const planner_thresholds& by = measured_thresholds) {
  return start_cost(0, by);
}

/// Whether to start devices during the coming run. If nothing is known about a process, its first run starts
/// none, because it may be the only run.
[[nodiscard]] constexpr bool start_pays(const start_outlook& known,
                                        const planner_thresholds& by = measured_thresholds) {
  return (known.missed > 0 &&
          known.missed + known.coming >= saved_before_start(start_cost(known.start, by), by)) ||
         known.expected >= worth_a_start(by);
}

/// The seconds that devices must have worked before one more than `devices` is started. One more device would
/// save 1 / (n + 1) of the time of n devices. It starts when these missed savings since the last start reach
/// the cost of a start.
[[nodiscard]] constexpr double worked_before_another(unsigned devices, double cost) {
  return cost * ((devices + 1) * (devices + 2) / 2.0 - 1);
}

/// The number of devices that have paid for their starts after `worked` seconds of work.
[[nodiscard]] constexpr unsigned devices_that_pay(double worked, double cost) {
  unsigned devices = 1;
  while (worked >= worked_before_another(devices, cost)) ++devices;
  return devices;
}

}  // namespace duomap::scheduler
