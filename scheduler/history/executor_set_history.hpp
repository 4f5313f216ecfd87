// Remembers which executors took part in the runs of this process, and how long those runs took.
#pragma once

#include "scheduler/thresholds/planner_thresholds.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// A set of executors for a run.
enum class executor_set { both, devices, pools };
inline constexpr std::size_t executor_sets = 3;

/// The executors of the next run, and the reason.
struct executor_set_choice {
  executor_set set = executor_set::both;
  /// For `devices`: after this time, the pools that were held back start all the same.
  double hold_back_seconds = 0;
  /// The usual time of runs of this size with `set`, and with the best other set. No value: there were no
  /// such runs.
  std::optional<double> seconds = std::nullopt;
  std::optional<double> otherwise = std::nullopt;
};

/// A run that succeeded.
struct executor_set_run {
  double seconds = 0;     ///< the whole run, including costs of the set before and after the scheduler's part
  double pools_part = 0;  ///< the share of the units that the pools did
  double seconds_per_unit = 0;  ///< executor_report::seconds_per_unit of the pools; 0 when not measured
  /// The longer of two times of the busiest device: the time of its copies, and the time of its kernels.
  double device_seconds = 0;
};

/// The known times of runs of the pools alone.
struct pools_solo {
  double seconds = 0;           ///< the whole time of the shortest run
  double seconds_per_unit = 0;  ///< from the last measurement
};

/// The reason for leaving executors out, as a sentence for the report; empty if none are left out.
[[nodiscard]] std::string reason_of(const executor_set_choice& choice);

/// In a co-run, pools and devices work together. A co-run of a few milliseconds may be slower than a run of
/// the pools or the devices alone, because workers slow down the copies to a device. A model that adds up
/// both rates does not show that (decision 12). So the history compares the times of whole runs: with all
/// executors, with only devices, and with only pools. It does so for each task and size (sizes within a
/// factor of 1.4 count as equal). The first run of a size is a co-run. Then each set that may be better is
/// tried, and the best is kept. A co-run must gain more than chance to be kept. From time to time another set
/// that may be better is tried again.
///
/// The cost of a try is bounded. If devices are tried alone, the pools start after the time of the best run
/// so far. Pools are tried alone only if their rate, or their part of a co-run, promises a shorter run. A
/// co-run in which the pools did nothing also counts as a run of the devices alone.
///
/// The history stays in memory, because runs are this short only in a process that has already started its
/// devices. Any thread may call these functions.
class executor_set_history {
 public:
  /// Chooses the executors of a run of `units` units. `task`: a text; only runs with the same text are
  /// compared. `pools_seconds`: the expected time of the pools alone.
  [[nodiscard]] executor_set_choice choose(std::string_view task, std::uint64_t units,
                                           std::optional<double> pools_seconds) const;

  /// The times of the pools alone. No value until there are a few such runs of this size.
  [[nodiscard]] std::optional<pools_solo> pools(std::string_view task, std::uint64_t units) const;

  /// The least executor_set_run::device_seconds of devices alone, if they did a run of this size alone.
  [[nodiscard]] std::optional<double> devices(std::string_view task, std::uint64_t units) const;

  /// True at the first call for a task. The first run of a task with devices says nothing about later runs,
  /// because it loads kernels and allocates tables for all of them.
  [[nodiscard]] bool is_first_with_devices(std::string_view task);

  void record(std::string_view task, std::uint64_t units, executor_set set, const executor_set_run& run);

  [[nodiscard]] static executor_set_history& of_this_process() {
    // The object is never destroyed, because a thread may still run a job and use it when the process ends.
    static executor_set_history& all = *new executor_set_history;
    return all;
  }

 private:
  struct sized_runs {
    std::array<std::vector<double>, executor_sets> seconds_per_unit;  // the newest is last
    std::vector<double> pools_in_co_run;  // whole time of co-runs per unit that the pools did
    double pools_seconds_per_unit = 0;    // pools_solo::seconds_per_unit
    double devices_seconds_per_unit = 0;  // devices()
    std::uint64_t runs = 0;
    std::uint64_t next_retry =
        measured_thresholds.first_retry;  // the number of runs after which another set is tried
  };

  // Orders by size and task. A lookup copies no name, because a copy took a tenth of a microsecond.
  struct in_order {
    using is_transparent = void;
    [[nodiscard]] bool operator()(const auto& one, const auto& other) const {
      return one.second != other.second ? one.second < other.second
                                        : std::string_view(one.first) < std::string_view(other.first);
    }
  };

  // The runs of a task and a size; null if there were none. Called with mutex_ held.
  [[nodiscard]] const sized_runs* find(std::string_view task, std::uint64_t units) const;

  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> with_devices_;                       // guarded by mutex_
  std::map<std::pair<std::string, unsigned>, sized_runs, in_order> all_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
