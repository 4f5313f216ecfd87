// Writes a benchmark run as a page: its tables, pictures with spreads, and its differences from a saved run.
// The page is one file and needs neither a network nor scripts.
// host only
#pragma once

#include "bench/harness/compare.hpp"

#include <string>

namespace duomap::apps {

/// @param compared the comparison with a saved run; null: none
[[nodiscard]] std::string html_of(const bench_run& run, const saved_comparison* compared);

}  // namespace duomap::apps
