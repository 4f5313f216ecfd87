// The thresholds of the dispatcher, which decides during a run.
#pragma once

#include <cstddef>
#include <cstdint>

/// Thresholds that also decide before a run are in scheduler/planner/planner_thresholds.hpp. Measured on
/// hosts of one H200 with 16 cores, or in simulated runs
/// (tests/scheduler/dispatch/dispatcher/simulation.hpp).
namespace duomap::scheduler::dispatch_thresholds {

// --- How often is something checked? ---

/// A worker that waits or is throttled asks again after this time if nothing calls it. It may be late by as
/// much.
inline constexpr double look_again_seconds = 5e-3;
/// The shortest such time, and the least time that a claim of a pool should take: the cost of a claim is
/// small then.
inline constexpr double least_claim_seconds = 50e-6;

// --- Does a device hang? (overdue.cpp) ---

/// Workers are throttled for a device that has ended nothing for so many times the expected time, and no
/// longer,
inline constexpr double patience = 4;
/// and at least for so long: a worker asks again after `look_again_seconds`, and may be late by as much.
[[nodiscard]] constexpr double least_patience_seconds() { return 2 * look_again_seconds; }
/// A device is overdue and times out after so many times the expected time,
inline constexpr double late_factor = 10;
/// and not before this time, which is longer than any pause of the system.
inline constexpr double late_chunk_seconds = 5;
/// The same for a commit, whose merge on the host has no expected time, and for a start.
inline constexpr double late_commit_seconds = 30;

// --- When does a device commit? (worker_state_machine.cpp) ---

/// A device commits so often, so that the loss of a device costs at most the work of a second,
inline constexpr double commit_every_seconds = 1;
/// or, if commits are slow, so seldom that they take a twentieth of the time.
inline constexpr double commit_every_commit_times = 20;

// --- What does a device cost? (run_state.cpp, executor_state.cpp) ---

/// The least fixed cost of a device's chunk. A line through the times of chunks gives less, because copies
/// and kernels overlap, and then chunks become too small: 1 GB of points took 1.4 times as long (decision 1).
inline constexpr double device_claim_seconds = 100e-6;
/// The same of a device that works alone, each of whose chunks waits for the threads that bring the one
/// before: 80 MB in 12 chunks took an H100 1.6 times as long as in 4 (decision 1).
inline constexpr double solo_claim_seconds = 200e-6;

// --- How fast is an executor? (rate_estimator.cpp, executor_rate.cpp) ---

/// The weight of a new sample of a device. A pool's samples share it, so that an unusual grain on one core
/// does not look like a change of all. With 0.25 a simulated run took 1.9 times as long.
inline constexpr double least_weight = 0.2;
/// Chunks that a line is fitted to: enough for a ramp of doubling chunks. A ramp has at most so many; then
/// the measured rate counts. Without an end a simulated run took 1.5 times as long.
inline constexpr std::size_t fitted_chunks = 12;
/// What is believed and what is measured now differ at most so many times. A first measurement that is
/// farther off replaces a rate. The fixed cost of a chunk falls no further, because much of it overlaps with
/// the chunks before. The solo rate of an executor is no higher, even if it was before: with 4 a simulated
/// run took 3.7 times as long.
inline constexpr double most_off = 2;
/// A pool that works solo measures so many claims, and then those that hold a grain whose number is a
/// multiple of this: a quarter of them, because all workers write to one place after each.
inline constexpr std::uint32_t lone_samples = 64;

// --- How is a device of unknown rate tried? (device_start.cpp, calibration_ramp.cpp) ---

/// An unknown device is expected to be so many times slower than all others together. With 4 a simulated run
/// took 7 times as long.
inline constexpr std::uint32_t slowest_device = 16;
/// An unknown device is started if its first grain would be done in this part of the time that the others
/// need for the rest. With an eighth a simulated run took 1.7 times as long.
inline constexpr double trial_share = 0.25;
/// A chunk for a measurement is one of so many parts of the work. On a device that is 16 times slower the
/// first chunk then takes a sixteenth of the time that is left.
[[nodiscard]] constexpr std::uint32_t measured_parts() { return slowest_device * slowest_device; }
/// Workers leave their cores to a ramp for this part of the time that the others need for the rest. Beside 16
/// busy workers a chunk took the feeding threads of an H200 ten times as long.
inline constexpr double solo_share = 0.03;
/// And for as long again if one of so many first chunks takes longer than that. Without this an H200 that
/// joined a run seemed to have a tenth of its rate (decision 11).
inline constexpr std::uint32_t outlasting_chunks = 2;
/// A chunk of a device of unknown rate is at most this part of the rest, so that the others do not wait for
/// it at the end. With a quarter a simulated run took 1.2 times as long. A caller that works alone claims no
/// more of a small input, since the costly records may be there.
inline constexpr double unknown_part = 1.0 / 8;

// --- How large is a claim? (claim_size.cpp) ---

/// A claim of a pool takes at most this time, so that cancelling is not late, and estimates of the others
/// hold. Longer claims made a simulated run take 1.3 times as long.
inline constexpr double pool_claim_seconds = 2e-3;
/// And at most this part of the rest, so that costly grains do no harm. Without this simulated runs took 1.4
/// % longer.
inline constexpr double pool_claim_share = 1.0 / 32;
/// Chunks that are small because they are measured have at least this part of the largest size: smaller
/// copies do not reach the speed of the link.
inline constexpr std::uint32_t least_measured = 4;
/// This part of a run may be left to devices, in case that grains at the end are costly. In simulated runs
/// with few very costly grains, 0.05 ended twice as far behind the best split.
inline constexpr double costly_grain_share = 0.07;

// --- How many workers are throttled for devices? (contention_search.cpp) ---

/// Chunks that are measured with a number of workers. Fewer chunks do not show how much they differ. With 4 a
/// simulated run took 1.5 times as long.
inline constexpr std::size_t window_chunks = 6;
/// Fewer chunks if devices work solo, because the pools do nothing meanwhile.
inline constexpr std::size_t solo_chunks = 4;
/// A number of workers is hopeless if devices lose so many times the rate that the pools add; this is seen
/// early. Without this a simulated run took 23 % longer than the next.
inline constexpr double hopeless_loss = 2;
/// Workers that add less than this part of the devices' rate are left out, if devices need all cores, unless
/// a measurement says that they help. Five of 16 workers made word count on an H200 up to 13 % longer
/// (decision 10).
inline constexpr double least_part = 0.1;
/// A trial of another number of workers, or the start of a device that seems useless, may cost this part of
/// the work that is done, or left. With 0.02 a simulated run took 1.3 times as long.
inline constexpr double trial_cost = 0.005;

}  // namespace duomap::scheduler::dispatch_thresholds
