// When executors of different speed, which become free at different times, end together.
#pragma once

#include <span>

namespace duomap::scheduler {

/// An executor that could take part of the work.
struct contender {
  /// When it could begin, plus what it needs after its last grain: seconds from now.
  double ready_seconds = 0;
  /// Greater than 0.
  double seconds_per_grain = 0;
};

/// The seconds from now until `grains` grains are done, if shares are chosen so that all who take part end
/// together: like water that fills vessels whose floors are at different heights. Who becomes ready only
/// after that takes no part. Infinite when there are no contenders.
[[nodiscard]] double water_level(double grains, std::span<const contender> all) noexcept;

/// The grains that one of them takes until then: 0 when it takes no part.
[[nodiscard]] double share_below(double level, const contender& one) noexcept;

}  // namespace duomap::scheduler
