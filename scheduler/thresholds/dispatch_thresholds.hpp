// The thresholds of the dispatcher, which makes decisions during a run.
#pragma once

#include <cstddef>
#include <cstdint>

/// Thresholds that also decide before a run are in scheduler/thresholds/planner_thresholds.hpp. All were
/// measured on hosts with 16 cores and one H200, or in simulated runs
/// (tests/scheduler/dispatch/dispatcher/simulation.hpp).
namespace duomap::scheduler::dispatch_thresholds {

// --- How often is something checked? ---

/// A worker that waits or is throttled asks again after this time, unless another thread wakes it sooner. It
/// may be late by the same time.
inline constexpr double recheck_seconds = 5e-3;
/// The shortest wait before a worker asks again. A pool's claim should also take at least this time, so that
/// the cost of the claim itself is small.
inline constexpr double least_claim_seconds = 50e-6;

// --- Does a device hang? (overdue.cpp) ---

/// A device that has ended nothing for this multiple of the expected time seems to hang. From then on,
/// workers are no longer throttled for it.
inline constexpr double patience = 4;
/// A device may end nothing for at least this time before workers are no longer throttled for it, because a
/// throttled worker may ask `recheck_seconds` late.
[[nodiscard]] constexpr double least_patience_seconds() { return 2 * recheck_seconds; }
/// A device times out if it takes longer than this multiple of the expected time, and also longer than the
/// least time below.
inline constexpr double late_factor = 10;
/// The least time before a chunk is overdue: longer than any pause of the system.
inline constexpr double late_chunk_seconds = 5;
/// The least time before a start, a commit or a block of a stream is overdue. Nobody can predict how long it
/// takes to build kernels, merge on the host or map one long record.
inline constexpr double late_commit_seconds = 30;

// --- When does a device commit? (worker_state_machine.cpp) ---

/// A device commits this often, so that a lost device costs at most the work of about a second.
inline constexpr double commit_every_seconds = 1;
/// A device whose commits are slow commits less often, so that commits take at most a twentieth of the time.
inline constexpr double commit_every_commit_times = 20;

// --- What does a device cost? (run_state.cpp, executor_state.cpp) ---

/// The least fixed cost of a device's chunk. A line fitted to the times of chunks gives a lower cost, because
/// copies and kernels overlap. Chunks then become too small: 1 GB took 1.4 times as long (decision 1).
inline constexpr double device_claim_seconds = 100e-6;
/// The least fixed cost of a chunk of a device that works alone. There, each chunk waits for the threads that
/// bring the chunk before it. 80 MB took an H100 1.6 times as long in 12 chunks as in 4 (decision 1).
inline constexpr double solo_claim_seconds = 200e-6;

// --- How fast is an executor? (rate_estimator.cpp, executor_rate.cpp) ---

/// The weight of a new sample of a device. The workers of a pool share this weight for their samples, so that
/// an unusual grain on one core does not look like a change of all cores. With 0.25 a simulated run took 1.9
/// times as long.
inline constexpr double least_weight = 0.2;
/// A line is fitted to at most this number of chunks, which is enough for a ramp of doubling chunks. A ramp
/// has no more chunks; then its rate counts. With no limit a simulated run took 1.5 times as long.
inline constexpr std::size_t fitted_chunks = 12;
/// The largest factor between a belief and a measurement. If the first measurement is farther off, it
/// replaces the rate. The fixed cost of a chunk falls at most by this factor, because much of it overlaps
/// with earlier chunks. The solo rate of an executor is at most this factor above its rate beside others.
/// With 4 a simulated run took 3.7 times as long.
inline constexpr double most_off = 2;
/// A lone pool measures its first 64 claims. Later it measures a claim only if it holds a grain whose number
/// is a multiple of 64, which a quarter of claims do. Each measurement makes all workers write to one place.
inline constexpr std::uint32_t lone_samples = 64;

// --- How is a device of unknown rate tried? (device_start.cpp, calibration_ramp.cpp) ---

/// A device of unknown rate is expected to be slower by this factor than all others together. With 4 a
/// simulated run took 7 times as long.
inline constexpr std::uint32_t slowest_device = 16;
/// A device of unknown rate is started if it would end its first grain within this part of the time that the
/// others need for the rest. With an eighth a simulated run took 1.7 times as long.
inline constexpr double trial_share = 0.25;
/// The size of a chunk that only measures: the work divided by this number. If a device is 16 times slower
/// than the others, this chunk takes it a sixteenth of the time that is left.
[[nodiscard]] constexpr std::uint32_t measured_parts() { return slowest_device * slowest_device; }
/// Workers leave their cores to a ramp for this part of the time that the others need for the rest. Beside 16
/// busy workers, the threads that feed an H200 took ten times as long for a chunk.
inline constexpr double solo_share = 0.03;
/// The first chunks, up to this number, may outlast the time for which workers leave their cores. Workers
/// then leave them for the same time again. Without this rule an H200 that joined a run seemed to have a
/// tenth of its rate (decision 11).
inline constexpr std::uint32_t outlasting_chunks = 2;
/// The largest chunk of a device of unknown rate, as a part of the rest, so that the others do not wait for
/// it at the end. With a quarter a simulated run took 1.2 times as long. A calling thread that works alone
/// also claims at most this part of a small input, because the costly records may be there.
inline constexpr double unknown_part = 1.0 / 8;

// --- How large is a claim? (claim_size.cpp) ---

/// The longest time of a pool's claim, so that a cancelled run ends soon and the others' estimates hold. With
/// longer claims a simulated run took 1.3 times as long.
inline constexpr double pool_claim_seconds = 2e-3;
/// The largest claim of a pool, as a part of the rest, so that costly grains do no harm. Without this limit
/// simulated runs took 1.4 % longer.
inline constexpr double pool_claim_share = 1.0 / 32;
/// A chunk that only measures has at least the largest size divided by this number, because smaller copies do
/// not reach the speed of the link.
inline constexpr std::uint32_t least_measured = 4;
/// A pool may leave this part of a run to devices, in case the grains at the end are costly. With 0.05,
/// simulated runs with few very costly grains ended twice as far behind the best split.
inline constexpr double costly_grain_share = 0.07;

// --- How many workers are throttled for devices? (contention_search.cpp) ---

/// The number of chunks in the measurement of one number of workers. Fewer chunks do not show how much chunks
/// differ. With 4 a simulated run took 1.5 times as long.
inline constexpr std::size_t window_chunks = 6;
/// The number of chunks in a measurement of devices alone. Fewer will do, as the pools rest meanwhile.
inline constexpr std::size_t solo_chunks = 4;
/// A number of workers is hopeless if the devices lose more than this multiple of the rate that the pools
/// add. A short measurement shows that. Without this rule a simulated run took 23 % longer.
inline constexpr double hopeless_loss = 2;
/// If devices need all cores, workers that add less than this part of the devices' rate are left out, unless
/// a measurement says that they help. Five of 16 workers made word count on an H200 up to 13 % longer
/// (decision 10).
inline constexpr double least_part = 0.1;
/// The largest cost of a trial, as a part of the work done or left. A trial is of another number of workers,
/// or of a device that seems useless. With 0.02 a simulated run took 1.3 times as long.
inline constexpr double trial_cost = 0.005;

}  // namespace duomap::scheduler::dispatch_thresholds
