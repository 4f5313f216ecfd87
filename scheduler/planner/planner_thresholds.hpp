// The thresholds of the planner, which decides before a run.
#pragma once

#include "scheduler/dispatch/dispatch_thresholds.hpp"
#include "scheduler/models/assumed_machine.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// Runs use the defaults; tests may change them. Measured on hosts of one H200 with 16 cores. What follows
/// from other numbers is a function of them.
struct planner_thresholds {
  assumed_machine machine = {};

  // --- Is a device offered to a run? (device_plan.cpp) ---

  /// A device that was never measured is started only if the pools would take longer than this: then it has
  /// at least as long to win back its start as that took. If one is started already, pools have to take
  /// longer than its shortest run.
  [[nodiscard]] constexpr double cold_seconds() const { return 2 * machine.cold_start_seconds; }
  /// The same as the least input per worker, if the pools' time is not known.
  [[nodiscard]] constexpr std::uint64_t cold_bytes_per_worker() const {
    return static_cast<std::uint64_t>(cold_seconds() * machine.worker_bytes_per_second);
  }
  /// With less input a run is not even offered a device that nobody has listed, because the thread that waits
  /// for it costs 0.1 ms.
  std::uint64_t unseen_bytes = std::uint64_t{1} << 20;
  /// The least input in all if a device is started already: offering it costs a thread.
  std::uint64_t warm_bytes = std::uint64_t{16} << 20;

  // --- Are devices started during runs that do not use them yet? (start_account.hpp, plan_run.cpp) ---

  /// The part of a start that a process pays for. At its end a process waits until the devices are found, or
  /// for the context that is being made (decision 52).
  double start_cost_part = 0.6;
  /// With so many workers, one leaves its core to the start. With all cores busy a start took up to twice as
  /// long (decision 52).
  unsigned workers_during_start = 8;

  // --- Do pools wait because the task says that devices are much faster? (plan_run.cpp) ---

  /// Devices must be expected to be so many times as fast. Otherwise a first product of 8192 x 8192 took an
  /// H200 and its cores four times as long.
  double much_faster = 4;
  /// The same for runs that take devices less than `short_run_seconds`. A covariance took CPU and H200
  /// together 1.6 times as long as the H200 (decision 41).
  double much_faster_when_short = 2.5;
  /// A short run gains little by measurements. In one, a device that was never measured may have two chunks
  /// open (claim_size.cpp), and a useless device has no further trial (calibration_ramp.cpp).
  double short_run_seconds = 20e-3;
  /// Pools wait so many times the expected time of the devices, and then help. A set of executors that took
  /// so many times as long is not tried again (executor_set_history.cpp). Chosen, not measured.
  double patience = 2;
  /// And so long for devices that have to be started first: as long as a start that is disturbed.
  [[nodiscard]] constexpr double cold_patience_seconds() const {
    return disturbed * machine.background_start_seconds;
  }
  /// The same for devices that are started: until the shortest run would be overdue. A solo warm-up is not
  /// longer either. It makes simulated first runs up to 0.3 of their time shorter if workers slow devices
  /// down. A start that takes longer makes a context (scheduler/dispatch).
  [[nodiscard]] constexpr double warm_patience_seconds() const {
    return dispatch_thresholds::late_factor * machine.warm_run_seconds;
  }

  // --- How long is the solo warm-up of devices without a measured solo rate? (plan_run.cpp) ---

  /// A shorter warm-up shows nothing.
  double least_look_seconds = 2e-3;
  /// What is tried may be in vain, so it takes at most this part of what it is tried for. A warm-up takes so
  /// much of the pools' solo time, and a trial of another number of workers so much of what is left
  /// (contention_search.cpp). A later ramp has chunks so much smaller (calibration_ramp.cpp): with chunks as
  /// large a simulated run took 1.4 times as long.
  double tried_part = 0.1;
  /// A warm-up takes at most this part of the time of the input over a link, if the pools' time is not known.
  double look_part_of_link = 0.25;

  // --- What is too little? (scheduler/dispatch, scheduler/iterative) ---

  /// The gain that a model must promise, as a part of the time, and the most that a measurement may cost.
  /// Neither models nor measurements are more exact.
  double least_gain = 0.02;
  /// Times that differ by less differ by chance: those of 4 GB differed by 5 % on one host. A co-run must
  /// gain that much over a solo run (executor_set_history.cpp), and so must another number of workers
  /// (contention_search.cpp), and devices that map streams (device_plan.cpp).
  double least_difference = 0.03;
  /// So few samples say nothing, because any of them may be odd. So many first samples do not count, because
  /// they may have waited for pages and threads. Rates differ by so many standard errors, or by chance
  /// (contention_search.cpp). After so many broken promises a split stays (resident_split.cpp).
  std::uint32_t few = 3;
  /// Each further try has so many times as much: runs before the next best is tried, time before another
  /// trial of a device, grains of its next chunk. A window without a chunk of some device ends after so many
  /// times its usual length (contention_search.cpp). Sizes of samples are so far apart for a line
  /// (step_model.cpp).
  std::uint32_t growth = 4;

  // --- Which executors were best in whole runs of this process? (executor_set_history.cpp) ---

  /// Runs that are compared, by the time that three of four took at least, because disturbances make runs
  /// longer. With the middle of five, three disturbed runs chose a GPU that took a quarter longer.
  std::size_t kept_runs = 9;
  /// What is disturbed takes at most so many times as long: a set of executors with one run may be better
  /// than another if it took no longer than that. With 1 a synthetic series of runs took 2.1 times as
  /// long.
  double disturbed = 1.5;
  /// Runs of a size before another set is tried again. A try that takes twice as long then costs 6 % of
  /// them.
  std::uint32_t first_retry = 16;

  // --- What is learned? (run_history.cpp, task_history.hpp) ---

  /// A shorter run teaches little: only how fast the CPU is, about (task_profile.hpp).
  double least_lesson_seconds = 10e-3;
  /// What a still shorter one shows is kept in the process, because storing takes a tenth of a millisecond,
  /// and because most of it may be what each run costs.
  double least_stored_seconds = 1e-3;
};

/// The thresholds of runs.
inline constexpr planner_thresholds measured_thresholds{};

}  // namespace duomap::scheduler
