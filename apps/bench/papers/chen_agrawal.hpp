// The measurements of Chen & Agrawal, HPDC 2012: table 1 with figures 3 to 7, and figures 8 to 10.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/papers/experiment.hpp"

#include <vector>

namespace duomap::apps {

/// Table 1: nine applications in three sizes; --quick takes the small ones.
[[nodiscard]] std::vector<planned_experiment> experiments_of_chen_agrawal();

/// Table 1 and the figures about it.
[[nodiscard]] std::vector<bench_table> measure_chen_agrawal(const bench_context& context);

/// Figures 8 to 10: word count and page view count of 100 MB, with --quick of 20, with 300 to 4000 keys.
[[nodiscard]] std::vector<bench_table> measure_distinct_keys(const bench_context& context);

}  // namespace duomap::apps
