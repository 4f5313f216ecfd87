// Every number that decides what is learned from run to run, of a task and of the machine.
// host only
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// What was measured is a surprise beyond this, as a logarithm of measured over known, ln 1.28, or as a part
/// of what was known: something else is going on. At 0.1 a simulated iterative job takes 11 % longer.
inline constexpr double surprise = 0.25;

/// So many surprises in a row make what is known a hint.
inline constexpr std::uint32_t most_surprises = 2;

/// After that many seconds a profile is no longer trusted: 30 days.
inline constexpr std::int64_t trusted_for_seconds = 30LL * 24 * 3600;

/// Whether what was stored then is to be trusted now; `then` comes from a file and may be any number.
[[nodiscard]] constexpr bool is_recent(std::int64_t then, std::int64_t now) {
  return then <= now && then >= now - trusted_for_seconds;
}

/// In less than that much input the copies of a run are too short to tell the link's speed.
inline constexpr std::uint64_t least_arrival_bytes = std::uint64_t{256} << 20;

/// A new run counts as much as all but one of so many old ones.
inline constexpr std::uint32_t most_runs = 8;

}  // namespace duomap::scheduler
