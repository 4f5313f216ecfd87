// Which executors took part in the runs of this process, and how long those runs took.
#pragma once

#include "scheduler/planner/planner_thresholds.hpp"

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

/// Which executors take part in a run.
enum class executor_set { both, devices, pools };
inline constexpr std::size_t executor_sets = 3;

/// Which executors are to take part in the next run, and why.
struct executor_set_choice {
  executor_set set = executor_set::both;
  /// `devices`: how long the pools are held back before they help all the same.
  double hold_back_seconds = 0;
  /// What runs of that size took with `set`, and with the best other set; nothing where there were none.
  std::optional<double> seconds = std::nullopt;
  std::optional<double> otherwise = std::nullopt;
};

/// A run that ended well.
struct executor_set_run {
  double seconds = 0;           ///< all of it, whatever a set needs before and after the scheduler's part
  double pools_part = 0;        ///< of the units, done by pools
  double seconds_per_unit = 0;  ///< executor_report::seconds_per_unit of the pools; 0 when not measured
  /// Of the device that was busy for the longest: what its copies or its kernels took, whichever took longer.
  double device_seconds = 0;
};

/// What is known of runs of the pools alone.
struct pools_solo {
  double seconds = 0;           ///< that the shortest took
  double seconds_per_unit = 0;  ///< as it was measured last
};

/// Which executors are left out and why, as a sentence for the report; empty when none are.
[[nodiscard]] std::string reason_of(const executor_set_choice& choice);

/// A co-run of a few milliseconds may be slower than a solo run, because workers slow down the copies to a
/// device. A model that adds up the rates of both does not show that (decision 12). So whole runs are
/// compared, for each task and size (sizes within a factor of 1.4 are alike): with all executors, with only
/// devices, and with only pools. The first run of a size is a co-run. Then each set that may be better is
/// tried, and the best is kept; a solo run is kept if a co-run hardly gains. From time to time another set
/// that may be better is tried again.
///
/// The cost of a try is bounded. While devices are tried, pools are only held back, and help after the time
/// of the best run so far. Pools are tried solo only if their rate, or their part of a co-run, promises a
/// shorter run. A co-run of which the pools did nothing counts for the devices, too.
///
/// Nothing is stored: runs are so short only in a process that has started its devices. Any thread may call
/// it.
class executor_set_history {
 public:
  /// `task`: runs with another text are not compared. `units`: of the input. `pools_seconds`: the expected
  /// time of the pools, solo.
  [[nodiscard]] executor_set_choice choose(std::string_view task, std::uint64_t units,
                                           std::optional<double> pools_seconds) const;

  /// When there were a few of that size.
  [[nodiscard]] std::optional<pools_solo> pools(std::string_view task, std::uint64_t units) const;

  /// The least executor_set_run::device_seconds of the devices alone, when they did a run of that size.
  [[nodiscard]] std::optional<double> devices(std::string_view task, std::uint64_t units) const;

  /// True once for each task: its first run with devices makes what later ones find made (kernels are loaded,
  /// tables are allocated), and says nothing of them.
  [[nodiscard]] bool is_first_with_devices(std::string_view task);

  void record(std::string_view task, std::uint64_t units, executor_set set, const executor_set_run& run);

  [[nodiscard]] static executor_set_history& of_this_process() {
    // Never destroyed: a thread that still runs a job when the process ends may use it.
    static executor_set_history& all = *new executor_set_history;
    return all;
  }

 private:
  struct sized_runs {
    std::array<std::vector<double>, executor_sets> seconds_per_unit;  // the newest last
    std::vector<double> pools_in_co_run;  // the same of what pools did in runs of both
    double pools_seconds_per_unit = 0;    // pools_solo::seconds_per_unit
    double devices_seconds_per_unit = 0;  // devices()
    std::uint64_t runs = 0;
    std::uint64_t next_retry = measured_thresholds.first_retry;  // when another set has another try
  };

  // By task and size; looked up without a copy of the name, which took a tenth of a microsecond.
  struct in_order {
    using is_transparent = void;
    [[nodiscard]] bool operator()(const auto& one, const auto& other) const {
      return one.second != other.second ? one.second < other.second
                                        : std::string_view(one.first) < std::string_view(other.first);
    }
  };

  // Null where there were none. Called with mutex_ held.
  [[nodiscard]] const sized_runs* find(std::string_view task, std::uint64_t units) const;

  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> with_devices_;                       // guarded by mutex_
  std::map<std::pair<std::string, unsigned>, sized_runs, in_order> all_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
