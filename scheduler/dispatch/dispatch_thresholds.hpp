// Every number that decides something during a run.
#pragma once

#include <cstddef>
#include <cstdint>

/// Those that also decide before a run are in scheduler/planner/planner_thresholds.hpp. Measured on hosts of
/// one H200 with 16 cores, or in simulated runs (tests/scheduler/dispatch/dispatcher/simulation.hpp).
namespace duomap::scheduler::dispatch_thresholds {

// --- How often is something looked at again? ---

/// A worker that waits or is throttled asks again after that, if nothing calls it: it comes late by as much.
inline constexpr double look_again_seconds = 5e-3;
/// The least such time, and the least that a claim of a pool is to take: what it costs, 0.3 us, is little
/// then.
inline constexpr double least_claim_seconds = 50e-6;
/// The thread that waits for all executors looks so often for those that hang.
inline constexpr double look_for_hanging_seconds = 0.1;

// --- Does a device hang? (overdue.cpp) ---

/// Workers are no longer throttled for a device that has ended nothing for so many times what is expected,
inline constexpr double patience = 4;
/// and at least for so long: some chunks of an H200.
inline constexpr double least_patience_seconds = 10e-3;
/// It is overdue, and timed out, after so many times what is expected,
inline constexpr double late_factor = 10;
/// and at least after so long that no pause of the system explains it.
inline constexpr double late_chunk_seconds = 5;
/// The same of a commit, which also merges on the host, how much nobody knows, and of a start.
inline constexpr double late_commit_seconds = 30;

// --- When does a device commit? (worker_state_machine.cpp) ---

/// What a lost device costs at most: the work of a second,
inline constexpr double commit_every_seconds = 1;
/// or, where committing is slow, of as long as it takes for committing to be a twentieth of it.
inline constexpr double commit_every_commit_times = 20;

// --- What does a device cost? (run_state.cpp, executor_state.cpp) ---

/// The least fixed cost of a device's chunk. A line through the times of chunks gives less, because copies
/// and kernels overlap, and then chunks become too small: 1 GB of points took 1.4 times as long (decision 6).
inline constexpr double device_claim_seconds = 100e-6;
/// A start that takes longer makes a context, which takes fifty times as long.
inline constexpr double warm_start_seconds = 5e-3;

// --- How fast is an executor? (rate_estimator.cpp, executor_rate.cpp) ---

/// The weight of a new sample of a device; of a pool it is shared by the samples of its workers, so that an
/// unusual grain on one core does not look like a change of all. With 0.25 a simulated run took 1.9 times as
/// long.
inline constexpr double least_weight = 0.2;
/// What a chunk costs beside its grains is not believed to be less than this part of what it was: much of it
/// overlaps with the chunks before. Without it a simulated run took 13 % longer.
inline constexpr double least_claim = 0.5;
/// Chunks that a line goes through: enough for a ramp of doubling chunks, and 66 slopes cost a microsecond.
inline constexpr std::size_t fitted_chunks = 12;
/// However much faster it was alone before, an executor is believed to be at most so many times as fast
/// alone. With 4 a simulated run took 3.7 times as long.
inline constexpr double most_slowed = 2;
/// Of a pool alone so many claims are measured, and then those that hold a grain whose number is a multiple
/// of that: a quarter of them, because all workers write to one place after each.
inline constexpr std::uint32_t lone_samples = 64;

// --- How is a device of unknown rate tried? (device_start.cpp, calibration_ramp.cpp) ---

/// So many times slower than all others together it is feared to be. With 4 a simulated run took 7 times as
/// long.
inline constexpr double slowest_device = 16;
/// It is started when its first grain, were it as slow as is feared, would be done in this part of the time
/// that the others need for the rest. With an eighth a simulated run took 1.7 times as long.
inline constexpr double trial_share = 0.25;
/// A chunk that is made to measure something is this part of the work: of a device that is feared to be 16
/// times slower a first chunk takes a sixteenth of the time that is left.
inline constexpr std::uint32_t measured_parts = 256;
/// Workers leave their cores to a ramp for that part of what the others need for the rest. With 16 workers at
/// work, 24 MB took an H200's feeding threads 6 ms, and 0.6 without them.
inline constexpr double alone_share = 0.03;
/// And for as long again when one of so many first chunks has outlasted that: an H200 that was started beside
/// workers was otherwise taken for a tenth as fast as it is (docs/decisions/0062-a-device-that-joins.md).
inline constexpr std::uint32_t outlasting_chunks = 2;
/// Of a later ramp everything is smaller: it may be in vain. Without that a simulated run took 1.4 times as
/// long.
inline constexpr double later = 0.1;
/// Then the device is taken for what it seems to be. Without an end a simulated run took 1.5 times as long.
inline constexpr std::uint32_t most_trial_chunks = 12;
/// A chunk of unknown rate takes this part of what is left at most: then nobody waits for it in the end. With
/// a quarter a simulated run took 1.2 times as long.
inline constexpr double unknown_part = 1.0 / 8;

// --- How large is a claim? (claim_size.cpp) ---

/// A claim of a pool takes no longer, so that cancelling is not late, and estimates of the others hold.
/// Longer claims made a simulated run take 1.3 times as long.
inline constexpr double pool_claim_seconds = 2e-3;
/// Nor longer than this part of what is left, so that costly grains do no harm. Without it simulated runs
/// took 1.4 % longer.
inline constexpr double pool_claim_share = 1.0 / 32;
/// While chunks are small to be measured they are at least this part of the largest: 8 MB arrive on an H200
/// at 30 to 45 GB/s, 16 at 50.
inline constexpr std::uint32_t least_measured = 4;
/// So much of a run may be left to devices for fear of costly grains. In simulated runs with few very costly
/// grains, 0.05 ended twice as far behind the best split.
inline constexpr double costly_grain_share = 0.07;

// --- How many workers are good beside devices? (contention_search.cpp) ---

/// Chunks that are measured with a number of workers: fewer are too few to know how much they differ. With 4
/// a simulated run took 1.5 times as long.
inline constexpr std::size_t window_chunks = 6;
/// Fewer when devices are alone, because that costs what the pools could do.
inline constexpr std::size_t alone_chunks = 4;
/// So many times as many when a device ends none: of one that has gone nothing is ever seen.
inline constexpr std::size_t longest_window = 8;
/// Another number of workers must be better by so many standard errors. With few very costly grains, six
/// chunks differ from the next six by up to 15 %.
inline constexpr double standard_errors = 2.5;
/// A number of workers is hopeless when devices lose so many times what the pools do: it is seen early.
/// Without that a run of 4 GiB beside a device that lost three quarters of its rate took 23 % longer than the
/// next.
inline constexpr double hopeless_loss = 2;
/// Workers that add less than this part of the devices' rate are left out, if devices need all cores, unless
/// a measurement says that they help. Five of 16 workers made word count on an H200 up to 13 % longer
/// (decision 10).
inline constexpr double least_part = 0.1;
/// A trial of another number of workers, and the start of a device that is believed to be of no use, may cost
/// this part of what is done before or left. With 0.02 a simulated run took 1.3 times as long.
inline constexpr double trial_cost = 0.005;
/// And so many times as much is left as is done during the trial. With 1 a simulated run took 7 % longer.
inline constexpr double least_left = 10;

}  // namespace duomap::scheduler::dispatch_thresholds
