// What GPUs do for k nearest neighbours, with the rows in their memory and from host memory.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// Tables for the first GPU; a median is of `rounds` runs.
/// @throws device_unavailable when there is none
[[nodiscard]] std::vector<bench_table> bench_knn_on_gpu(unsigned rounds, const run_control& control);

}  // namespace duomap::apps
