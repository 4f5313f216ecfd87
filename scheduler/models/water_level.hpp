// When executors of different speed, which become free at different times, end together.
#pragma once

#include <span>

namespace duomap::scheduler {

/// An executor that could take part of the work.
struct executor_forecast {
  /// When it could begin, plus what it needs after its last grain: seconds from now.
  double ready_seconds = 0;
  /// Greater than 0.
  double seconds_per_grain = 0;
};

/// The seconds from now until `grains` grains are done, if shares are chosen so that all that take part end
/// together: like water that fills vessels whose floors are at different heights. An executor that becomes
/// ready only after that takes no part. Infinite when there are none.
[[nodiscard]] double water_level(double grains, std::span<const executor_forecast> all) noexcept;

/// The grains that one of them takes until then: 0 when it takes no part.
[[nodiscard]] double share_below(double level, const executor_forecast& one) noexcept;

}  // namespace duomap::scheduler
