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
  /// For `devices`: the time after which held-back pools help all the same.
  double hold_back_seconds = 0;
  /// The usual time of runs of that size with `set`, and with the best other set; nothing where there were
  /// none.
  std::optional<double> seconds = std::nullopt;
  std::optional<double> otherwise = std::nullopt;
};

/// A run that succeeded.
struct executor_set_run {
  double seconds = 0;  ///< the whole run, including the set's own costs before and after the scheduler's part
  double pools_part = 0;        ///< the pools' part of the units
  double seconds_per_unit = 0;  ///< executor_report::seconds_per_unit of the pools; 0 when not measured
  /// The time of the copies or of the kernels, whichever is longer, of the device that was busy for the
  /// longest.
  double device_seconds = 0;
};

/// The known times of runs of the pools alone.
struct pools_solo {
  double seconds = 0;           ///< of the shortest run
  double seconds_per_unit = 0;  ///< of the last measurement
};

/// The reason why executors are left out, as a sentence for the report; empty when none are.
[[nodiscard]] std::string reason_of(const executor_set_choice& choice);

/// A co-run (pools and devices work together) of a few milliseconds may be slower than a solo run (one of
/// them works), because workers slow down the copies to a device. A model that adds up the rates of both does
/// not show that (decision 12). So the history compares whole runs, for each task and size (sizes within a
/// factor of 1.4 are alike): with all executors, with only devices, and with only pools. The first run of a
/// size is a co-run. Then each set that may be better is tried, and the best is kept; a solo run is kept if a
/// co-run hardly gains. From time to time another set that may be better is tried again.
///
/// The cost of a try is bounded. In a try of devices alone, the pools are held back and start after the time
/// of the best run so far. Pools are tried alone only if their rate, or their part of a co-run, promises a
/// shorter run. A co-run in which the pools did nothing counts as a run of the devices, too.
///
/// The history stays in memory: runs are so short only if their process has started its devices already. Any
/// thread may call these functions.
class executor_set_history {
 public:
  /// Chooses the executors of a run of `units` units. `task`: runs with another text are not compared.
  /// `pools_seconds`: the expected solo time of the pools.
  [[nodiscard]] executor_set_choice choose(std::string_view task, std::uint64_t units,
                                           std::optional<double> pools_seconds) const;

  /// The times of the pools alone, after a few runs of that size.
  [[nodiscard]] std::optional<pools_solo> pools(std::string_view task, std::uint64_t units) const;

  /// The least executor_set_run::device_seconds of devices alone, if they did a run of that size.
  [[nodiscard]] std::optional<double> devices(std::string_view task, std::uint64_t units) const;

  /// True at the first call for a task. A task's first run with devices says nothing about later runs,
  /// because it loads kernels and allocates tables for all of them.
  [[nodiscard]] bool is_first_with_devices(std::string_view task);

  void record(std::string_view task, std::uint64_t units, executor_set set, const executor_set_run& run);

  [[nodiscard]] static executor_set_history& of_this_process() {
    // The object is never destroyed, because a thread that still runs a job when the process ends may use it.
    static executor_set_history& all = *new executor_set_history;
    return all;
  }

 private:
  struct sized_runs {
    std::array<std::vector<double>, executor_sets> seconds_per_unit;  // the newest last
    std::vector<double> pools_in_co_run;  // seconds per unit of the pools' part in co-runs
    double pools_seconds_per_unit = 0;    // pools_solo::seconds_per_unit
    double devices_seconds_per_unit = 0;  // devices()
    std::uint64_t runs = 0;
    std::uint64_t next_retry =
        measured_thresholds.first_retry;  // the number of runs after which another set is tried
  };

  // Orders by size and task; a lookup copies no name, which took a tenth of a microsecond.
  struct in_order {
    using is_transparent = void;
    [[nodiscard]] bool operator()(const auto& one, const auto& other) const {
      return one.second != other.second ? one.second < other.second
                                        : std::string_view(one.first) < std::string_view(other.first);
    }
  };

  // The runs of a task and a size; null when there were none. Called with mutex_ held.
  [[nodiscard]] const sized_runs* find(std::string_view task, std::uint64_t units) const;

  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> with_devices_;                       // guarded by mutex_
  std::map<std::pair<std::string, unsigned>, sized_runs, in_order> all_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
