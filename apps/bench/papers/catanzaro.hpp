// The measurements of Catanzaro, Sundaram and Keutzer, STMCS 2008: tables 1 to 3.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace duomap::apps {

/// Table 1: sums over arrays of three sizes. Tables 2 and 3, support vector machines: synthetic rows, as the
/// paper's data cannot be generated; its figures stand below.
[[nodiscard]] std::vector<bench_table> measure_catanzaro(const bench_context& context);

}  // namespace duomap::apps
