// Measures the time that a GPU takes to read its memory, which is the least time that a kernel can need.
// host only
#pragma once

#include <cstdint>
#include <vector>

namespace duomap::apps {

/// Seconds of each of `runs` runs of a kernel that reads `bytes` of the GPU's memory in 16-byte loads and
/// adds them up. Exists only in builds with CUDA. @throws device_out_of_memory
[[nodiscard]] std::vector<double> time_reading(int device, std::uint64_t bytes, unsigned runs);

}  // namespace duomap::apps
