// Computes when executors of different speeds, which become free at different times, can end together.
#pragma once

#include <span>

namespace duomap::scheduler {

/// An executor that could take part of the work.
struct executor_forecast {
  /// The seconds from now until the executor can begin, plus the time that it needs after its last grain.
  double ready_seconds = 0;
  /// Greater than 0.
  double seconds_per_grain = 0;
};

/// The seconds from now until `grains` grains are done, if the executors get shares with which all end
/// together. Water fills vessels with floors of different heights in the same way. An executor that becomes
/// ready later takes no part. The result is infinite if there are no executors.
[[nodiscard]] double water_level(double grains, std::span<const executor_forecast> all) noexcept;

/// The number of grains that one executor does until `level`; 0 if it takes no part.
[[nodiscard]] double share_below(double level, const executor_forecast& one) noexcept;

}  // namespace duomap::scheduler
