// The measurements of Chen & Agrawal, HPDC 2012: table 1 with figures 3 to 7, and figures 8 to 10.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"
#include "bench/papers/experiment.hpp"

#include <vector>

namespace duomap::apps {

/// The experiments of table 1: nine applications in three sizes each; --quick takes the smallest size.
[[nodiscard]] std::vector<planned_experiment> experiments_of_chen_agrawal();

/// Measures table 1 and the figures about it.
[[nodiscard]] std::vector<bench_table> measure_chen_agrawal(const bench_context& context);

/// Measures figures 8 to 10: word count and page view count of 100 MB, or 20 MB with --quick, with 300 to
/// 4000 keys.
[[nodiscard]] std::vector<bench_table> measure_distinct_keys(const bench_context& context);

}  // namespace duomap::apps
