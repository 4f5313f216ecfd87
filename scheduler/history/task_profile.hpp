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

/// The measurements of one executor. Seconds are per unit, with all workers at work.
struct executor_profile {
  identity is;
  std::int64_t stored_at = 0;  ///< seconds since 1970
  /// start_seconds is 0 here, because it belongs to the machine (machine_profile.hpp).
  executor_model model;
  double deviation = 0;         ///< executor_report::deviation
  double copy_per_unit = 0;     ///< device: the machine's time of a copy; pool: the time of reading
  double compute_per_unit = 0;  ///< device: the task's time of kernels
  std::uint32_t runs = 0;       ///< the number of runs behind the values
  std::uint32_t surprises = 0;  ///< the number of the last runs in a row that were off by more than a quarter
  /// For a pool: the duration of the short run from which alone the values come; 0: they come from longer
  /// runs.
  double short_run = 0;
};

/// The profile of a task with its parameters and the place of its data. An executor may have several entries
/// with different facts, such as the number of threads or the build of the program.
struct task_profile {
  std::string task = {};
  std::vector<executor_profile> executors = {};
  double worth = 0;               ///< seconds: start_account::worth() of the last process
  std::uint64_t worth_units = 0;  ///< units of the largest run in that process
};

/// The largest number of entries of one executor. Beyond it, the oldest entry is forgotten.
inline constexpr std::size_t most_alike = 8;

/// Whether the first claims may rely on the profile. They may not if the profile is old or from the future,
/// or if two runs in a row differed from it. A profile that is not trusted is still better than none, but the
/// run then begins with probes.
[[nodiscard]] bool trusted(const executor_profile& one, std::int64_t now);

/// The models for a run with these executors. A model is trusted, or a hint, or unknown. A hint comes from an
/// executor with the same name but other facts. An empty fact is not known yet and may have any value: for
/// example, only the bus is known of a device that is still being started.
[[nodiscard]] std::vector<executor_model> models_for(const task_profile& remembered,
                                                     std::span<const identity> executors, std::int64_t now);

/// The least measured time of a device for a unit, with any facts. No value: no device was measured. The name
/// of a pool is "cpu".
[[nodiscard]] std::optional<double> device_seconds_per_unit(const task_profile& remembered);

/// The profile after a run with the reports `measured`. A measurement near the known value moves it a little.
/// A measurement that is off by more than a quarter replaces it, so a wrong profile is right after one run. A
/// value that comes only from a short run is replaced, too. An executor that took no part stays as it is.
[[nodiscard]] task_profile updated(task_profile remembered, std::span<const executor_report> measured,
                                   std::span<const identity> identities, std::int64_t now);

/// The profile after a run of `seconds` that is too short to be a measurement. No value: the run shows
/// nothing new. It shows the speed of pools that are not trusted, or were seen only in shorter runs. So
/// `auto` need not offer a GPU to a run if the CPU alone takes less time than the offer. About devices, short
/// runs show little more than the fixed cost of their chunks.
[[nodiscard]] std::optional<task_profile> with_short_run(const task_profile& remembered,
                                                         std::span<const executor_report> measured,
                                                         std::span<const identity> identities, double seconds,
                                                         std::int64_t now);

}  // namespace duomap::scheduler
