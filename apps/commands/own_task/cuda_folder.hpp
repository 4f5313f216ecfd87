// Where this machine has the CUDA Toolkit: seldom where the machine had it that built duomap's packages.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// The first of these folders that has bin/nvcc: `built_with`, those of the nvcc on PATH (links followed),
/// and /usr/local/cuda.
/// @throws error when there is none, which says where it looked and what to do
[[nodiscard]] std::string find_cuda(const std::string& built_with);

}  // namespace duomap::apps
