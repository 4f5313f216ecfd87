// What GPUs do for k nearest neighbours, with the rows in their memory and from host memory.
// host only
#pragma once

#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Tables for the first GPU; a median is of `rounds` runs.
/// @throws device_unavailable when there is none
[[nodiscard]] std::string bench_knn_on_gpu(unsigned rounds, const run_control& control);

}  // namespace duomap::apps
