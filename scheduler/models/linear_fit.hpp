// Fits a straight line to the times of chunks of different sizes. A few odd times hardly change the line.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// The size of a chunk and the seconds that it took.
struct timed_chunk {
  double size = 0;  ///< grains or units, greater than 0
  double seconds = 0;
};

/// seconds = fixed + size * per_size. Neither number is below 0.
struct line {
  double fixed = 0;
  double per_size = 0;
};

/// The seconds of a chunk without its fixed cost. At least a tenth of the seconds remains, because a chunk
/// that took no longer than its fixed cost shows little.
[[nodiscard]] constexpr double without_fixed(double seconds, double fixed) {
  return std::max(seconds - fixed, seconds / 10);
}

/// The middle value. For an even number of values, it is the mean of the two in the middle. Requires at least
/// one value.
[[nodiscard]] double median(std::vector<double> values);

/// The line whose slope is the median of the slopes between all pairs (Theil 1950, Sen 1968). Its height is
/// the median of the remaining times. Up to 29 % of the chunks may be off by any amount. No value: there are
/// fewer than 3 chunks, or their sizes differ by less than a factor of 8. A fixed cost would then look like a
/// slow device.
[[nodiscard]] std::optional<line> fit_line(std::span<const timed_chunk> chunks);

}  // namespace duomap::scheduler
