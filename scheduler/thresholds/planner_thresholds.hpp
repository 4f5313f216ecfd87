// The thresholds of the planner, which decides before a run.
#pragma once

#include "scheduler/models/assumed_machine.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// Runs use the defaults; tests may change them. Measured on hosts of one H200 with 16 cores. A number that
/// follows from others is a function.
struct planner_thresholds {
  assumed_machine machine = {};

  // --- Is a device offered to a run? (device_plan.cpp) ---

  /// A device that was never measured is started only if the pools would take longer than this: then the
  /// device has at least the length of its start to win the start back. If a device is already started, the
  /// pools have to take longer than its shortest run.
  [[nodiscard]] constexpr double cold_seconds() const { return 2 * machine.cold_start_seconds; }
  /// cold_seconds() as the least input per worker, for when the pools' time is not known.
  [[nodiscard]] constexpr std::uint64_t cold_bytes_per_worker() const {
    return static_cast<std::uint64_t>(cold_seconds() * machine.worker_bytes_per_second);
  }
  /// A run with less input is not even offered a device that nobody has listed yet, because the thread that
  /// waits for the device costs 0.1 ms.
  std::uint64_t unseen_bytes = std::uint64_t{1} << 20;
  /// The least input of a run that is offered a started device, because the offer costs a thread.
  std::uint64_t warm_bytes = std::uint64_t{16} << 20;

  // --- Are devices started during runs that do not use them yet? (start_account.hpp, plan_run.cpp) ---

  /// The part of a start's cost that a process pays. At its end a process waits until the devices are found,
  /// or for the context that is being made (decision 52).
  double start_cost_part = 0.6;
  /// A pool with at least this number of workers leaves one core to the start. With all cores busy a start
  /// took up to twice as long (decision 52).
  unsigned workers_during_start = 8;

  // --- Do pools wait because the task says that devices are much faster? (plan_run.cpp) ---

  /// Pools wait if devices are expected to be faster by this factor. Otherwise a first product of 8192 x 8192
  /// took an H200 and its cores four times as long.
  double much_faster = 4;
  /// The factor for runs that take devices less than `short_run_seconds`. A covariance took CPU and H200
  /// together 1.6 times as long as the H200 (decision 41).
  double much_faster_when_short = 2.5;
  /// A run shorter than this gains little by measurements. A device that was never measured may then have two
  /// chunks open (claim_size.cpp), and a useless device gets no further trial (calibration_ramp.cpp).
  double short_run_seconds = 20e-3;
  /// Pools help once devices have taken this multiple of their expected time. A set of executors that took
  /// this multiple of another's time is not tried again (executor_set_history.cpp). Chosen, not measured.
  double patience = 2;
  /// Pools wait this long for devices that must be started first: the time of a disturbed start.
  [[nodiscard]] constexpr double cold_patience_seconds() const {
    return disturbed * machine.background_start_seconds;
  }
  /// Pools wait this long for started devices: until the shortest run would be overdue. It is also the
  /// longest solo warm-up, and shortens simulated first runs by up to 0.3 of their time if workers slow
  /// devices down. A start that takes longer makes a context (scheduler/dispatch).
  [[nodiscard]] constexpr double warm_patience_seconds() const {
    return dispatch_thresholds::late_factor * machine.warm_run_seconds;
  }

  // --- How long is the solo warm-up of devices without a measured solo rate? (plan_run.cpp) ---

  /// The least time of a warm-up; a shorter one shows nothing.
  double least_look_seconds = 2e-3;
  /// A trial may be in vain, so it is bounded by this part: a warm-up takes this part of the pools' solo
  /// time, and a trial of another number of workers this part of the rest (contention_search.cpp). The chunks
  /// of a later ramp are smaller by this factor (calibration_ramp.cpp): with chunks of full size a simulated
  /// run took 1.4 times as long.
  double tried_part = 0.1;
  /// A warm-up takes at most this part of the time that the input takes over a link, if the pools' time is
  /// not known.
  double look_part_of_link = 0.25;

  // --- Which gains and times are too small to act on? (scheduler/dispatch, scheduler/iterative) ---

  /// The gain that a model must promise, as a part of the time, and the largest part that a measurement may
  /// cost. Neither models nor measurements are more exact.
  double least_gain = 0.02;
  /// A smaller difference of times is chance: the times of runs over 4 GB differed by 5 % on one host. The
  /// gain over the alternative must exceed it for a co-run (executor_set_history.cpp), for another number of
  /// workers (contention_search.cpp), and for devices that map streams (device_plan.cpp).
  double least_difference = 0.03;
  /// A measurement needs this number of samples, because a single one may be odd. The same number of first
  /// samples does not count, because they may have waited for pages and threads. Rates differ by chance if
  /// they differ by at most this number of standard errors (contention_search.cpp). After this number of
  /// broken promises a split stays (resident_split.cpp).
  std::uint32_t few = 3;
  /// Each further try has this multiple of the last: runs before the next best is tried, time before another
  /// trial of a device, grains of its next chunk. A window without a chunk of some device ends after this
  /// multiple of its usual length (contention_search.cpp). A line needs sample sizes that differ by this
  /// factor (step_model.cpp).
  std::uint32_t growth = 4;

  // --- Which executors were best in whole runs of this process? (executor_set_history.cpp) ---

  /// The number of runs of a set that are kept. Sets are compared by the lower quartile of their times,
  /// because disturbances only make runs longer. With the median of five, three disturbed runs chose a GPU
  /// that took a quarter longer.
  std::size_t kept_runs = 9;
  /// A disturbed run takes at most this multiple of its usual time: a set of executors with one run may be
  /// better than another if that run took no longer than this. With 1 a synthetic series of runs took 2.1
  /// times as long.
  double disturbed = 1.5;
  /// Another set is tried again after this number of runs of a size. A try that takes twice as long as a run
  /// with the best set costs 6 % of the time of those runs.
  std::uint32_t first_retry = 16;

  // --- Which measurements are kept? (run_history.cpp, task_history.hpp) ---

  /// The least time of a run that counts as a measurement. A shorter run shows only roughly how fast the CPU
  /// is (task_profile.hpp).
  double least_lesson_seconds = 10e-3;
  /// The least time of a run whose lesson is stored. The lesson of a shorter run stays in the process,
  /// because storing takes a tenth of a millisecond, and most of the run's time may be fixed costs.
  double least_stored_seconds = 1e-3;
};

inline constexpr planner_thresholds measured_thresholds{};

}  // namespace duomap::scheduler
