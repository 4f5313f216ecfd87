// The measurements of Catanzaro, Sundaram and Keutzer, STMCS 2008: tables 1 to 3.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"

#include <vector>

namespace duomap::apps {

/// Table 1 sums arrays of three sizes. Tables 2 and 3 train and use support vector machines on synthetic
/// rows, because the paper's data cannot be generated; notes below the tables give the paper's times.
[[nodiscard]] std::vector<bench_table> measure_catanzaro(const bench_context& context);

}  // namespace duomap::apps
