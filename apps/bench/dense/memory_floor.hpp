// How long a GPU takes to read memory: the floor that kernels are compared with.
// host only
#pragma once

#include <cstdint>
#include <vector>

namespace duomap::apps {

/// Seconds that a kernel takes which reads `bytes` of the GPU's memory in 16-byte loads and adds them up, run
/// after run.
/// Only in builds with CUDA. @throws device_out_of_memory
[[nodiscard]] std::vector<double> time_reading(int device, std::uint64_t bytes, unsigned runs);

}  // namespace duomap::apps
