// A straight line through times of chunks of different sizes, which a few odd ones do not bend.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// Seconds that a chunk took.
struct timed_chunk {
  double size = 0;  ///< grains or units, greater than 0
  double seconds = 0;
};

/// seconds = fixed + size * per_size, neither below 0.
struct line {
  double fixed = 0;
  double per_size = 0;
};

/// What is left of the seconds of chunks without their fixed cost: a tenth at least, because chunks that took
/// no longer than that cost say little.
[[nodiscard]] constexpr double without_fixed(double seconds, double fixed) {
  return std::max(seconds - fixed, seconds / 10);
}

/// The middle value; of an even number of values the mean of the two in the middle. Requires at least one.
[[nodiscard]] double median(std::vector<double> values);

/// The line whose slope is the median of the slopes between all pairs (Theil 1950, Sen 1968), and whose
/// height is the median of what remains: up to 29 % of the chunks may be off by any amount. Nothing when the
/// sizes differ by less than a factor of 8 or there are fewer than 3, because then a fixed cost cannot be
/// told from a slow device.
[[nodiscard]] std::optional<line> fit_line(std::span<const timed_chunk> chunks);

}  // namespace duomap::scheduler
