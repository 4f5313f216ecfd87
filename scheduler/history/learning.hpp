// The thresholds for learning about a task and about the machine, from run to run.
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// A measurement is no surprise if it differs from the known value by at most a factor of e^0.25 (1.28), or
/// by this part of the known value. After surprises the known value no longer holds. With 0.1 a simulated
/// iterative job takes 11 % longer.
inline constexpr double surprise = 0.25;

/// After this number of surprises in a row, a known value is only a hint. A single surprise may be chance.
/// New shares of an iterative job are also judged after this number of steps, because the first step loads
/// code and data.
inline constexpr std::uint32_t confirmed_by = 2;

/// The seconds after which a profile is no longer trusted: 30 days.
inline constexpr std::int64_t trusted_for_seconds = 30LL * 24 * 3600;

/// Whether a value that was stored at `then` is still trusted. `then` is from a file and may be any number.
[[nodiscard]] constexpr bool is_recent(std::int64_t then, std::int64_t now) {
  return then <= now && then >= now - trusted_for_seconds;
}

/// The least input that shows the speed of the link, in bytes. The copies of a smaller input are too short.
inline constexpr std::uint64_t least_arrival_bytes = std::uint64_t{256} << 20;

/// A new run has at least a weight of one divided by this number.
inline constexpr std::uint32_t most_runs = 8;

}  // namespace duomap::scheduler
