// Measures sums over arrays in memory on all cores, beside plain oneTBB.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"
#include "core/run_control.hpp"

#include <cstdint>

namespace duomap::apps::loops {

/// Sums arrays of several sizes up to `most_bytes`.
/// @throws interrupted
[[nodiscard]] bench_table array_sums(std::uint64_t most_bytes, const run_control& control);

}  // namespace duomap::apps::loops
