// How profiles learn from run to run, of a task and of the machine.
// host only
#pragma once

#include <cstdint>

namespace duomap::scheduler {

/// A logarithm of measured over known beyond this is a surprise: ln 1.28.
inline constexpr double surprise = 0.25;

/// A new run counts as much as all but one of so many old ones.
inline constexpr std::uint32_t most_runs = 8;

}  // namespace duomap::scheduler
