// The thresholds of learning about a task and about the machine, from run to run.
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// The largest difference of a measurement from the known value that is no surprise: a factor of e^0.25
/// (1.28), or this part of the known value. After surprises the known value does not hold. With 0.1 a
/// simulated iterative job takes 11 % longer.
inline constexpr double surprise = 0.25;

/// The number of surprises in a row after which a known value is only a hint: a single one may be chance. New
/// shares of an iterative job are judged after this number of steps, because the first of them loads code and
/// data.
inline constexpr std::uint32_t confirmed_by = 2;

/// The seconds after which a profile is no longer trusted: 30 days.
inline constexpr std::int64_t trusted_for_seconds = 30LL * 24 * 3600;

/// Whether a value that was stored at `then` is trusted now; `then` comes from a file and may be any number.
[[nodiscard]] constexpr bool is_recent(std::int64_t then, std::int64_t now) {
  return then <= now && then >= now - trusted_for_seconds;
}

/// The least input of a run that measures the link's speed. The copies of less input are too short.
inline constexpr std::uint64_t least_arrival_bytes = std::uint64_t{256} << 20;

/// The weight of a new run is at least one divided by this number.
inline constexpr std::uint32_t most_runs = 8;

}  // namespace duomap::scheduler
