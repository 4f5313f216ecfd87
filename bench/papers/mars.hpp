// The measurements of Mars: He et al., PACT 2008, table 4 and figures 4, 5 and 9.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"
#include "bench/papers/experiment.hpp"

#include <vector>

namespace duomap::apps {

/// The experiments of table 4: six applications in three sizes each; --quick takes the smallest size.
[[nodiscard]] std::vector<planned_experiment> experiments_of_mars();

[[nodiscard]] std::vector<bench_table> measure_mars(const bench_context& context);

}  // namespace duomap::apps
