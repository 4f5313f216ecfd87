// Computes the time at which executors of different speed, which become free at different times, can end
// together.
#pragma once

#include <span>

namespace duomap::scheduler {

/// An executor that could take part of the work.
struct executor_forecast {
  /// The seconds from now until it can begin, plus the time that it needs after its last grain.
  double ready_seconds = 0;
  /// Greater than 0.
  double seconds_per_grain = 0;
};

/// The seconds from now until `grains` grains are done, if the shares make all executors that take part end
/// together: like water that fills vessels whose floors are at different heights. An executor that becomes
/// ready later than that takes no part. Infinite when there are no executors.
[[nodiscard]] double water_level(double grains, std::span<const executor_forecast> all) noexcept;

/// The grains that one executor takes until `level`: 0 when it takes no part.
[[nodiscard]] double share_below(double level, const executor_forecast& one) noexcept;

}  // namespace duomap::scheduler
