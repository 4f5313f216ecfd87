// The thresholds of what is learned from run to run, about a task and about the machine.
// host only
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// A measurement that differs by more is a surprise: ln 1.28 of measured over known, or this part of the
/// known value. Then the known value does not hold. With 0.1 a simulated iterative job takes 11 % longer.
inline constexpr double surprise = 0.25;

/// Once may be chance, and so often it is none: a known value is only a hint after so many surprises in a
/// row, and new shares of an iterative job are judged after so many steps, of which the first loads code and
/// data.
inline constexpr std::uint32_t confirmed_by = 2;

/// After that many seconds a profile is no longer trusted: 30 days.
inline constexpr std::int64_t trusted_for_seconds = 30LL * 24 * 3600;

/// Whether a value that was stored then is trusted now; `then` comes from a file and may be any number.
[[nodiscard]] constexpr bool is_recent(std::int64_t then, std::int64_t now) {
  return then <= now && then >= now - trusted_for_seconds;
}

/// With less input the copies of a run are too short to measure the link's speed.
inline constexpr std::uint64_t least_arrival_bytes = std::uint64_t{256} << 20;

/// A new run counts as much as all but one of so many old ones.
inline constexpr std::uint32_t most_runs = 8;

}  // namespace duomap::scheduler
