// The remembered speed of executors at a task.
#pragma once

#include "core/report.hpp"
#include "scheduler/history/identity.hpp"
#include "scheduler/models/executor_model.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// The measurements of one executor. Seconds are per unit, with all of its workers at work.
struct executor_profile {
  identity is;
  std::int64_t stored_at = 0;  ///< seconds since 1970
  /// start_seconds is the machine's (machine_profile.hpp) and 0 here.
  executor_model model;
  double deviation = 0;      ///< executor_report::deviation
  double copy_per_unit = 0;  ///< for a device: the machine's time of a copy, the same for every task; for a
                             ///< pool: the time of reading
  double compute_per_unit = 0;  ///< for a device; the task's
  std::uint32_t runs = 0;       ///< the number of runs behind the values
  std::uint32_t surprises = 0;  ///< the number of runs in a row that were off by more than a quarter
  /// For a pool: the seconds of the short run that is the only source of the values; 0: they come from longer
  /// runs.
  double short_run = 0;
};

/// The profile of a task with its parameters and the place of its data. An executor may have several entries
/// with different facts: another number of threads, another build of the program.
struct task_profile {
  std::string task = {};
  std::vector<executor_profile> executors = {};
  double worth = 0;               ///< seconds: start_account::worth() of the last process
  std::uint64_t worth_units = 0;  ///< units of the largest run of that process
};

/// The largest number of entries of one executor; beyond it the oldest is forgotten.
inline constexpr std::size_t most_alike = 8;

/// Whether first claims may rely on the profile. They may not if the profile is old or from the future, or if
/// two runs in a row differed from it. A profile that is not trusted is still better than none: the run then
/// begins with probes.
[[nodiscard]] bool trusted(const executor_profile& one, std::int64_t now);

/// The models for a run with these executors. A model is trusted; or a hint, from an executor of that name
/// with other facts; or unknown. An empty fact is not known yet and may be any: only the bus of a device that
/// is still being started is known.
[[nodiscard]] std::vector<executor_model> models_for(const task_profile& remembered,
                                                     std::span<const identity> executors, std::int64_t now);

/// The least measured time of a device for a unit, whatever its facts; nothing when no device was measured.
/// The name of a pool is "cpu".
[[nodiscard]] std::optional<double> device_seconds_per_unit(const task_profile& remembered);

/// The profile after a run that gave the reports `measured`. A measurement near the known value moves it a
/// little. A measurement that is off by more than a quarter replaces it, and so does one that follows only a
/// short run: a wrong profile is right after one run. An executor that took no part stays as it is.
[[nodiscard]] task_profile updated(task_profile remembered, std::span<const executor_report> measured,
                                   std::span<const identity> identities, std::int64_t now);

/// The profile after a run of `seconds` that is too short to be a measurement; nothing when the run shows
/// nothing new. It shows the speed of pools that are not trusted, or were seen only in shorter runs, so that
/// `auto` need not offer a GPU to a run in which the CPU alone takes less time than the offer. Short runs
/// show of devices little more than the fixed cost of their chunks.
[[nodiscard]] std::optional<task_profile> with_short_run(const task_profile& remembered,
                                                         std::span<const executor_report> measured,
                                                         std::span<const identity> identities, double seconds,
                                                         std::int64_t now);

}  // namespace duomap::scheduler
