// A benchmark run as a page: its tables, pictures with spreads, and what differs from a saved run. One file
// that needs no network, and no script. host only
#pragma once

#include "apps/bench/harness/compare.hpp"

#include <string>

namespace duomap::apps {

/// @param compared with a saved run; null: with none
[[nodiscard]] std::string html_of(const bench_run& run, const saved_comparison* compared);

}  // namespace duomap::apps
