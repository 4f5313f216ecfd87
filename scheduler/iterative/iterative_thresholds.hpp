// The thresholds of iterative jobs, in which decisions are made after each step.
#pragma once

#include <cstddef>
#include <cstdint>

/// Thresholds that also hold for runs are in scheduler/thresholds/planner_thresholds.hpp and
/// scheduler/history/learning.hpp. All were measured on hosts with 16 cores and one H200, or in simulated
/// jobs (tests/scheduler/iterative/resident_split_test.cpp).
namespace duomap::scheduler::iterative_thresholds {

// --- How is a member of unknown speed tried? (resident_split.cpp) ---

/// An unmeasured pool first gets the number of grains divided by this number. If the pool is a thousand times
/// slower than a device, this part takes 16 steps of the device, and all grains would take a thousand.
inline constexpr std::uint32_t probe_part = 64;
/// The next trial of the pool is larger by this factor, to show the fixed part of its time. It is smaller by
/// this factor if a larger trial might take longer than the best step. 16 cores beside an H200 took half of
/// the device's step for a 64th of the points of k-means. A larger trial made a run of 20 steps 10 ms longer.
inline constexpr std::uint32_t probe_growth = 8;

// --- What did a step take? (step_model.cpp) ---

/// The number of last steps whose median is the typical time. After this number of steps, even a small
/// difference counts. With 3 a simulated job took 3.8 times as long.
inline constexpr std::size_t typical_steps = 5;
/// A model keeps this number of sizes, the newest ones. With 2 a simulated job took 2.5 times as long.
inline constexpr std::size_t most_visits = 8;

// --- Is a new split better? (resident_split.cpp) ---

/// After few steps, only a difference of at least this part counts. Without this rule a simulated job took
/// 1.3 times as long.
inline constexpr double clear_difference = 0.1;
/// A gain of at most this part may be luck. If it is also less than half of the promised gain, the promise is
/// broken. A smaller change of the step's time is no reason to ask the models again. Without this rule a
/// simulated job took 1.13 times as long.
inline constexpr double lucky_difference = 0.05;
/// After this number of steps with the same shares, the models are asked only once in this number of steps,
/// because asking takes a part of the shortest steps. With 6 a simulated job took 2.9 times as long.
inline constexpr std::uint64_t settled_steps = 64;

}  // namespace duomap::scheduler::iterative_thresholds
