// What is remembered of a task's speed, from run to run.
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

/// What was measured of one executor. Seconds are per unit, with all of its workers at work.
struct executor_profile {
  identity is;
  std::int64_t stored_at = 0;  ///< seconds since 1970
  /// start_seconds is the machine's (machine_profile.hpp) and 0 here.
  executor_model model;
  double deviation = 0;      ///< executor_report::deviation
  double copy_per_unit = 0;  ///< of a device; the machine's, and the same for every task. Of a pool: reading
  double compute_per_unit = 0;  ///< of a device; the task's
  std::uint32_t runs = 0;       ///< that it is made of
  std::uint32_t surprises = 0;  ///< runs in a row that were off by more than a quarter
  /// Seconds that the run took which it comes from, if that was too short to be a measurement (of a pool);
  /// 0: it comes from longer runs.
  double short_run = 0;
};

/// Of one task, its parameters and where its data are. An executor may be there several times, with different
/// facts: another number of threads, another build of the program.
struct task_profile {
  std::string task = {};
  std::vector<executor_profile> executors = {};
  double worth = 0;               ///< seconds: start_account::worth() of the last process
  std::uint64_t worth_units = 0;  ///< of the largest run of that process
};

/// So many times an executor may be there; the oldest is forgotten.
inline constexpr std::size_t most_alike = 8;

/// Whether first claims may rely on it: not when it is old or from the future, and not when two runs in a row
/// were off. What is not trusted is still better than nothing: the run begins with probes.
[[nodiscard]] bool trusted(const executor_profile& one, std::int64_t now);

/// The models for a run with these executors: trusted ones, or what is known of an executor of that name with
/// other facts as a hint, or unknown. A fact that is empty is not known yet and may be any: of a device that
/// is still being started only the bus is known.
[[nodiscard]] std::vector<executor_model> models_for(const task_profile& remembered,
                                                     std::span<const identity> executors, std::int64_t now);

/// The least that a device was seen to take for a unit, whatever its facts; nothing when none was seen. The
/// name of a pool is "cpu".
[[nodiscard]] std::optional<double> device_seconds_per_unit(const task_profile& remembered);

/// What is remembered after a run with these `executors`. A measurement near what was known moves it a
/// little, one that is off by more than a quarter replaces it, and so does one of what only a short run has
/// shown: a wrong profile is right after one run. An executor that took no part stays as it is.
[[nodiscard]] task_profile updated(task_profile remembered, std::span<const executor_report> measured,
                                   std::span<const identity> identities, std::int64_t now);

/// What is remembered after a run of `seconds` that is too short to be a measurement; nothing when it shows
/// no more than was known. It shows how fast pools are that are not trusted, or were seen in shorter runs
/// alone, so that `auto` need not offer a GPU to a run of which the CPU alone makes less than that costs. Of
/// devices short runs show little but what their chunks cost.
[[nodiscard]] std::optional<task_profile> with_short_run(const task_profile& remembered,
                                                         std::span<const executor_report> measured,
                                                         std::span<const identity> identities, double seconds,
                                                         std::int64_t now);

}  // namespace duomap::scheduler
