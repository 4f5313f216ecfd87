// Every number that decides something before a run begins.
#pragma once

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// The defaults are what runs use; tests may change them. Measured on hosts of one H200 with 16 cores.
struct planner_thresholds {
  // --- Is a device offered to a run? (device_plan.cpp) ---

  /// Finding an H200, its context and its first kernel.
  double cold_start_seconds = 0.25;
  /// No device that was never measured is started for a run that the pools alone are believed to do in less:
  /// twice as much.
  double cold_seconds = 2 * cold_start_seconds;
  /// The same when a device is started: a run of 1 KB takes an H200 that long.
  double warm_seconds = 0.5e-3;
  /// The same for each worker where nobody knows what the pools take. While CUDA starts, a worker maps 0.13
  /// GB; so the device has at least as long to win back what it costs.
  std::uint64_t cold_bytes_per_worker = std::uint64_t{256} << 20;
  /// Less input is not even given an unseen device: the thread that waits for it takes 0.1 ms.
  std::uint64_t unseen_bytes = std::uint64_t{1} << 20;
  /// The same for all of the input when a device is started: offering it costs a thread.
  std::uint64_t warm_bytes = std::uint64_t{16} << 20;

  // --- Are devices started beside runs that do not use them yet? (start_account.hpp, plan_run.cpp) ---

  /// What starting an H200 and finding it takes a process that goes on meanwhile.
  double background_start_seconds = 0.2;
  /// What a start costs a process, as a part of what it takes: at its end it waits until the devices are
  /// found, or for the context that is being made, which takes an H200 0.15 s of 0.25.
  double start_cost_part = 0.6;
  /// Meanwhile one worker leaves its core to the start, where there are so many. Beside 16 workers on 16
  /// cores an H100 was ready after 0.16 to 0.27 s, beside 15 after 0.13 to 0.15.
  unsigned workers_beside_start = 8;

  // --- Do pools wait because the task says that devices are several times as fast? (plan_run.cpp) ---

  /// Devices must be believed to be so many times as fast. A first product of 8192 x 8192 took an H200 beside
  /// its cores 0.15 s instead of 0.04.
  double much_faster = 4;
  /// The same for runs that take devices less than `short_run_seconds`. A covariance took CPU and H200
  /// together 1.6 times as long as the H200 (decision 41).
  double much_faster_when_short = 2.5;
  /// A short run, in which there is little to be gained by finding something out: here see
  /// `much_faster_when_short`, of the same measurement. In one a device that was never measured may also have
  /// two chunks open (claim_size.cpp), and one of no use has no other trial (calibration_ramp.cpp).
  double short_run_seconds = 20e-3;
  /// Pools wait so many times what devices are believed to take, and help when that was wrong; and what took
  /// so many times as long is not tried again (executor_set_history.cpp). Chosen, not measured.
  double patience = 2;
  /// And so long for devices that have to be started before: somewhat longer than the 0.25 s that CUDA takes.
  double cold_patience_seconds = 0.3;
  /// The same for devices that are started: ten times what a run of 1 KB takes an H200. Nor is a device
  /// watched for longer: simulated first runs of 1 to 4 GB beside workers that slow devices down take up to
  /// 0.3 of their time less so, and 7 % more where nobody disturbs anybody.
  double warm_patience_seconds = 5e-3;

  // --- How long do pools watch devices that were never seen alone? (plan_run.cpp) ---

  /// In less time nothing is seen.
  double least_look_seconds = 2e-3;
  /// A warm-up takes no larger part of what the pools alone take, so that enough is left for them.
  double look_part_of_pools = 0.1;
  /// The same of what the input takes over a link, where it is not known what the pools take.
  double look_part_of_link = 0.25;
  /// That link: what arrives on an H200 in large copies.
  double link_bytes_per_second = 55e9;

  // --- What is too little? (scheduler/dispatch, scheduler/iterative) ---

  /// What a model must promise to be believed, as a part of the time, and what finding something out may
  /// cost: neither models nor measurements are better than that.
  double least_gain = 0.02;
  /// What is measured must differ by so much, or it is chance: 4 GB took both 54 to 57 ms on one host, and
  /// the cores alone 55 to 60. Both together must gain that much over one of them (executor_set_history.cpp),
  /// and so must another number of workers (contention_search.cpp).
  double least_difference = 0.03;
  /// Of so few samples nothing is said, because any may be odd; and so many first ones, which may have waited
  /// for pages and threads, cost what later ones do not.
  std::uint32_t few = 3;
  /// So many times as much comes with each further try: runs before the next best is tried, time before
  /// another trial of a device, grains of its next chunk.
  std::uint32_t growth = 4;

  // --- What did whole runs of this process take with and without devices? (executor_set_history.cpp) ---

  /// Runs that are looked back on. What three of four took at least counts, because what disturbs a run makes
  /// it longer. By the middle of five, three disturbed runs of 1 MiB of words led to the GPU, which takes a
  /// quarter longer, for up to 48 runs.
  std::size_t kept_runs = 9;
  /// Two that differ by less, each seen in one run, may each have been unlucky.
  double may_be_better = 1.5;
  /// Runs of a size before the next best has another try: a try that costs twice as much is then 6 % of them.
  std::uint32_t first_retry = 16;

  // --- When does an iterative job start devices? (scheduler/iterative/iterative_job.hpp) ---

  /// The buffers of a loop, in a process that has a context.
  double warm_resident_seconds = 3e-3;
  /// Bytes of ordinary memory to an H200, of which 9 to 17 GB arrive in a second in one copy and 50 through
  /// the feeder.
  double resident_bytes_per_second = 20e9;

  // --- What is learned? (run_history.cpp, task_history.hpp) ---

  /// A shorter run teaches little and is not stored, because storing takes a tenth of a millisecond.
  double least_lesson_seconds = 10e-3;

  // --- What may a task keep that collects? (plan_run.cpp) ---

  /// Grouping holds what was emitted, its order and the result at the same time.
  unsigned copies_when_grouped = 3;
};

/// What runs use.
inline constexpr planner_thresholds measured_thresholds{};

}  // namespace duomap::scheduler
