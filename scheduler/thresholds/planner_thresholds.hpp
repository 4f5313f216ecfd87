// The thresholds of the planner, which makes decisions before a run.
#pragma once

#include "scheduler/models/assumed_machine.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// Runs use the defaults, and tests may change them. All were measured on hosts with 16 cores and one H200. A
/// threshold that follows from others is a function.
struct planner_thresholds {
  assumed_machine machine = {};

  // --- Is a device offered to a run? (device_plan.cpp) ---

  /// A device that was never measured is started only if the pools would take longer than this. After its
  /// start, the device then has at least the same time left to win the start back. A device that is already
  /// started is offered a run only if the pools would take longer than its shortest run.
  [[nodiscard]] constexpr double cold_seconds() const { return 2 * machine.cold_start_seconds; }
  /// cold_seconds() as a number of bytes per worker, for when the pools' time is not known.
  [[nodiscard]] constexpr std::uint64_t cold_bytes_per_worker() const {
    return static_cast<std::uint64_t>(cold_seconds() * machine.worker_bytes_per_second);
  }
  /// The least input of a run that is offered an unlisted device. A smaller run would notice the thread that
  /// waits for the device, which costs 0.1 ms.
  std::uint64_t unseen_bytes = std::uint64_t{1} << 20;
  /// The least input of a run that is offered a started device, because the offer costs a thread.
  std::uint64_t warm_bytes = std::uint64_t{16} << 20;

  // --- Are devices started during runs that do not use them yet? (start_account.hpp, plan_run.cpp) ---

  /// The part of a start's time that a process pays. At its end, a process waits until the devices are found,
  /// or until the context that is being made is ready (decision 52).
  double start_cost_part = 0.6;
  /// A pool with at least this number of workers leaves one core to a start of devices. If all cores are
  /// busy, a start takes up to twice as long (decision 52).
  unsigned workers_during_start = 8;

  // --- Do pools wait because the task says that devices are much faster? (plan_run.cpp) ---

  /// Pools wait if devices are expected to be faster by this factor. Without this rule the first product of
  /// 8192 x 8192 matrices took an H200 and its cores four times as long.
  double much_faster = 4;
  /// The factor for runs in which devices take less than `short_run_seconds`. A covariance took CPU and H200
  /// together 1.6 times as long as the H200 alone (decision 41).
  double much_faster_when_short = 2.5;
  /// The duration below which a run gains little from measurements. In a shorter run, a device that was never
  /// measured may have two chunks open (claim_size.cpp), and a useless device gets no further trial
  /// (calibration_ramp.cpp).
  double short_run_seconds = 20e-3;
  /// Held-back pools start if devices have taken this multiple of their expected time. A set of executors
  /// that took this multiple of another set's time is not tried again (executor_set_history.cpp). The number
  /// was chosen, not measured.
  double patience = 2;
  /// How long pools wait for devices that must be started first: the time of a disturbed start.
  [[nodiscard]] constexpr double cold_patience_seconds() const {
    return disturbed * machine.background_start_seconds;
  }
  /// How long pools wait for started devices: until the shortest run would be overdue. This is also the
  /// longest solo warm-up. If workers slow devices down, it shortens simulated first runs by up to 0.3 of
  /// their time. A start that takes longer than this makes a context (scheduler/dispatch).
  [[nodiscard]] constexpr double warm_patience_seconds() const {
    return dispatch_thresholds::late_factor * machine.warm_run_seconds;
  }

  // --- How long is the solo warm-up of devices without a measured solo rate? (plan_run.cpp) ---

  /// The least time of a warm-up. A shorter warm-up shows nothing.
  double least_warm_up_seconds = 2e-3;
  /// A trial may be useless, so it may cost only this part. A warm-up takes this part of the pools' solo
  /// time. A trial of another number of workers takes this part of the rest (contention_search.cpp). The
  /// chunks of a later ramp are smaller by this factor (calibration_ramp.cpp): with chunks of full size a
  /// simulated run took 1.4 times as long.
  double tried_part = 0.1;
  /// If the pools' time is not known, a warm-up takes at most this part of the time that the input takes over
  /// a link.
  double look_part_of_link = 0.25;

  // --- Which gains and times are too small to act on? (scheduler/dispatch, scheduler/iterative) ---

  /// The least gain that a model must promise, as a part of the time. It is also the largest part that a
  /// measurement may cost. Neither models nor measurements are more exact.
  double least_gain = 0.02;
  /// A smaller difference of times, as a part of the time, is chance: the times of runs over 4 GB differed by
  /// 5 % on one host. A larger gain is needed for a co-run (executor_set_history.cpp), for another number of
  /// workers (contention_search.cpp), and for devices that map streams (device_plan.cpp).
  double least_difference = 0.03;
  /// The least number of samples of a measurement, because a single sample may be odd. The same number of
  /// first samples is left out, because they may have waited for pages and threads. Rates that differ by at
  /// most this number of standard errors differ by chance (contention_search.cpp). After this number of
  /// broken promises a split stays (resident_split.cpp).
  std::uint32_t few = 3;
  /// Each further try grows by this factor: the runs before the next best set is tried, the time before
  /// another trial of a device, and the size of a device's next chunk. A window without a chunk of some
  /// device ends after this multiple of its usual length (contention_search.cpp). A line needs sample sizes
  /// that differ by this factor (step_model.cpp).
  std::uint32_t growth = 4;

  // --- Which executors were best in whole runs of this process? (executor_set_history.cpp) ---

  /// The number of runs of a set whose times are kept. Sets are compared by the lower quartile of these
  /// times, because disturbances only make runs longer. With the median of five times, three disturbed runs
  /// chose a GPU that took a quarter longer.
  std::size_t kept_runs = 9;
  /// A disturbed run takes at most this multiple of its usual time. So a set of executors with a single run
  /// may be better than another set if that run took no longer than this. With 1 a synthetic series of runs
  /// took 2.1 times as long.
  double disturbed = 1.5;
  /// Another set is tried again after this number of runs of a size. If the try takes twice as long as a run
  /// with the best set, it costs 6 % of the time of these runs.
  std::uint32_t first_retry = 16;

  // --- Which measurements are kept? (run_history.cpp, task_history.hpp) ---

  /// The least time of a run that counts as a measurement. A shorter run shows only roughly how fast the CPU
  /// is (task_profile.hpp).
  double least_lesson_seconds = 10e-3;
  /// The least time of a run whose measurements are stored. Those of a shorter run stay in the process,
  /// because storing takes a tenth of a millisecond, and most of the run's time may be fixed costs.
  double least_stored_seconds = 1e-3;
};

inline constexpr planner_thresholds measured_thresholds{};

}  // namespace duomap::scheduler
