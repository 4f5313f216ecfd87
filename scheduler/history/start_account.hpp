// When a process starts its devices: the time that they would have saved, compared with the cost of a start.
#pragma once

#include "scheduler/planner/planner_thresholds.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// Renting or buying: each run without devices costs the time that devices would have saved, and a start
/// costs once. The number of coming runs is not known. A process starts its devices as soon as the savings
/// that it missed reach what a start costs a process that ends then. So it takes at most twice as long as
/// with the best choice in hindsight (Karlin, Manasse, Rudolph, Sleator: Competitive snoopy caching,
/// Algorithmica 3, 1988, section 1). A start runs in the background. It costs the time for which the process
/// waits at its end, if the process ends before the start does.
///
/// If an earlier process saved time with the same task, this one is expected to save as much, and devices are
/// started with the first run that is not much smaller than those. A wrong prediction costs one start.
///
/// Any thread may call it.
class start_account {
 public:
  /// A run without devices ended: they would have saved so many seconds of it.
  void missed(double seconds) {
    const std::lock_guard held(mutex_);
    missed_before_last_ = missed_;
    missed_ += seconds;
  }

  /// A run with devices ended: they saved so many seconds of it.
  void saved(double seconds) {
    const std::lock_guard held(mutex_);
    saved_ += seconds;
  }

  /// Devices were at work for so many seconds of a run.
  void worked(double seconds) {
    const std::lock_guard held(mutex_);
    worked_ += seconds;
  }

  /// How long devices were at work.
  [[nodiscard]] double worked() const {
    const std::lock_guard held(mutex_);
    return worked_;
  }

  /// A run ended: it took so many seconds, with devices or without.
  void spent(double seconds) {
    const std::lock_guard held(mutex_);
    spent_ += seconds;
  }

  /// What the runs have taken.
  [[nodiscard]] double spent() const {
    const std::lock_guard held(mutex_);
    return spent_;
  }

  /// What devices saved of the runs with them.
  [[nodiscard]] double saved() const {
    const std::lock_guard held(mutex_);
    return saved_;
  }

  /// What devices would have saved of the runs without them.
  [[nodiscard]] double missed() const {
    const std::lock_guard held(mutex_);
    return missed_;
  }

  /// What devices were worth to this process: what it missed before they were started, and what they saved.
  /// Without the last run that missed them: had they been started beside it, they would have come too late.
  [[nodiscard]] double worth() const {
    const std::lock_guard held(mutex_);
    return missed_before_last_ + saved_;
  }

  /// What is known of the start; `ask` is called once in a process, because it reads a file.
  template <class Ask>
  [[nodiscard]] double start_seconds(const Ask& ask) {
    const std::lock_guard held(mutex_);
    if (!start_) start_ = ask();
    return *start_;
  }

  /// True once in a process: what starting the devices took is to be remembered.
  [[nodiscard]] bool learns_start() {
    const std::lock_guard held(mutex_);
    return !std::exchange(learned_start_, true);
  }

  /// What was remembered of a task before this process added to it: `now` when it is asked for the first
  /// time.
  [[nodiscard]] double before(const std::string& task, double now) {
    const std::lock_guard held(mutex_);
    return before_.try_emplace(task, now).first->second;
  }

  /// The largest run of a task in this process, of which one has `units` units.
  [[nodiscard]] std::uint64_t largest(const std::string& task, std::uint64_t units) {
    const std::lock_guard held(mutex_);
    std::uint64_t& most = largest_[task];
    return most = std::max(most, units);
  }

  [[nodiscard]] static start_account& of_this_process() {
    // Never destroyed: a thread that still runs a job when the process ends may use it.
    static start_account& all = *new start_account;
    return all;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
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

/// What is known of a start before a run.
struct start_outlook {
  double start = 0;     ///< what starting the devices takes; 0: nothing is known
  double spent = 0;     ///< start_account::spent()
  double missed = 0;    ///< start_account::missed()
  double saved = 0;     ///< start_account::saved()
  double worked = 0;    ///< start_account::worked()
  double coming = 0;    ///< what devices are expected to save of this run
  double expected = 0;  ///< what they were worth to an earlier process with this task; 0: nothing is known
  /// What they take for this run alone, if they were measured.
  std::optional<double> device_seconds = std::nullopt;
};

/// What that start costs a process at most, which is the making of a context; `by` as in
/// planner_thresholds.hpp.
[[nodiscard]] constexpr double start_cost(double start, const planner_thresholds& by = measured_thresholds) {
  return by.start_cost_part * (start > 0 ? start : by.machine.background_start_seconds);
}

/// What runs must have missed for a start that costs `cost`: as much as it costs a process that ends as soon
/// as it has begun, which is the finding of the devices. One that ends later pays for the context, but has
/// taken as much longer before.
[[nodiscard]] constexpr double saved_before_start(double cost,
                                                  const planner_thresholds& by = measured_thresholds) {
  return (1 / by.start_cost_part - 1) * cost;
}

/// What devices that are started beside a run are expected to save of it: the pools go on meanwhile, and what
/// is left then is shared by speed. Less than nothing when the run is over before.
[[nodiscard]] constexpr double saved_during_start(double pool_seconds, double device_seconds, double start,
                                                  const planner_thresholds& by = measured_thresholds) {
  const double left = pool_seconds - (start > 0 ? start : by.machine.background_start_seconds);
  return left * pool_seconds / (pool_seconds + device_seconds);
}

/// What a process must have gained for the next one to start its devices at once.
[[nodiscard]] constexpr double worth_a_start(const planner_thresholds& by = measured_thresholds) {
  return start_cost(0, by);
}

/// Whether devices are to be started beside the run that comes. Not beside the first of a process of which
/// nothing is known: it may be the only one.
[[nodiscard]] constexpr bool start_pays(const start_outlook& known,
                                        const planner_thresholds& by = measured_thresholds) {
  return (known.missed > 0 &&
          known.missed + known.coming >= saved_before_start(start_cost(known.start, by), by)) ||
         known.expected >= worth_a_start(by);
}

/// What devices must have worked for a process to start one more than `devices`. Beside n of them one more
/// saves 1 / (n + 1) of their time, and it is started when what it would have saved since the last start is
/// what a start costs.
[[nodiscard]] constexpr double worked_before_another(unsigned devices, double cost) {
  return cost * ((devices + 1) * (devices + 2) / 2.0 - 1);
}

/// How many devices have paid for their starts when devices have worked for so many seconds.
[[nodiscard]] constexpr unsigned devices_that_pay(double worked, double cost) {
  unsigned devices = 1;
  while (worked >= worked_before_another(devices, cost)) ++devices;
  return devices;
}

}  // namespace duomap::scheduler
