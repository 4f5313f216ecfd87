// What is remembered of a task's speed on a machine, from run to run.
#pragma once

#include "core/report.hpp"
#include "scheduler/executor_model.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// What an executor is called in a profile: a pool of 16 workers is another one than a pool of 4.
[[nodiscard]] std::string profile_name(const std::string& executor, unsigned workers);

/// What was measured of one executor. Seconds are per unit, with all of its workers at work.
struct executor_profile {
  std::string name;
  executor_model model;
  double deviation = 0;         ///< executor_report::deviation
  double copy_per_unit = 0;     ///< of a device; the machine's, and the same for every task
  double compute_per_unit = 0;  ///< of a device; the task's
  std::uint32_t runs = 0;       ///< that it is made of
  std::uint32_t surprises = 0;  ///< runs in a row that were off by more than a quarter
};

struct task_profile {
  std::int64_t stored_at = 0;  ///< seconds since 1970
  std::vector<executor_profile> executors;
};

/// After that many seconds a profile is no longer trusted: 30 days.
inline constexpr std::int64_t trusted_for_seconds = 30LL * 24 * 3600;

/// Whether first claims may rely on it: not when it is old or from the future, and not when two runs in a row
/// were off. What is not trusted is still better than nothing: the run begins with probes.
[[nodiscard]] bool trusted(const executor_profile& one, const task_profile& whole, std::int64_t now);

/// The models for a run with these executors, unknown for those that the profile has not. `exact`: it was
/// made by this program on this machine.
[[nodiscard]] std::vector<executor_model> models_for(const task_profile& remembered, bool exact,
                                                     std::int64_t now,
                                                     std::span<const std::string> executors);

/// What is remembered after a run. A measurement near what was known moves it a little, one that is off by
/// more than a quarter replaces it: a wrong profile is right after one run.
[[nodiscard]] task_profile updated(task_profile remembered, std::span<const executor_report> measured,
                                   std::int64_t now);

}  // namespace duomap::scheduler
