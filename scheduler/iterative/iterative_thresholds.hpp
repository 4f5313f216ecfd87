// The thresholds of iterative jobs, which decide after each step.
#pragma once

#include <cstddef>
#include <cstdint>

/// Thresholds that also decide about runs are in scheduler/planner/planner_thresholds.hpp and
/// scheduler/history/learning.hpp. Measured on hosts of one H200 with 16 cores, or in simulated jobs
/// (tests/scheduler/iterative/resident_split_test.cpp).
namespace duomap::scheduler::iterative_thresholds {

// --- How is a member of unknown speed tried? (resident_split.cpp) ---

/// A pool that nobody has measured does this part of the grains once: were it a thousand times slower than a
/// device, trying it with everything would cost a thousand steps, and so it costs 16.
inline constexpr std::uint32_t probe_part = 64;
/// Then it tries with so many times as much, or with so much less where more might take longer than the best
/// step: both tell what of the time is a fixed cost. 16 cores beside an H200 took half of the device's step
/// for a 64th of the points of k-means, and more of them made a run of 20 steps 10 ms longer.
inline constexpr std::uint32_t probe_growth = 8;

// --- What did a step take? (step_model.cpp) ---

/// A typical time is of so many steps. After so many every difference counts.
/// With 3 a simulated job took 3.8 times as long.
inline constexpr std::size_t typical_steps = 5;
/// A model is of so many sizes at most, the newest. With 2 a simulated job took 2.5 times as long.
inline constexpr std::size_t most_visits = 8;

// --- Is a new split better? (resident_split.cpp) ---

/// After few steps only a difference of this part counts. Without this a simulated job took 1.3 times as
/// long.
inline constexpr double clear_difference = 0.1;
/// A gain of at most this part may be luck: if it is less than half of what was promised, the promise is
/// broken. Models are not asked again for a smaller change. Without this a simulated job took 1.13 times as
/// long.
inline constexpr double lucky_difference = 0.05;
/// After so many steps with the same shares models are asked only once in so many, because asking takes a
/// part of the shortest steps. With 6 a simulated job took 2.9 times as long.
inline constexpr std::uint64_t settled_steps = 64;

}  // namespace duomap::scheduler::iterative_thresholds
