// Finds the CUDA Toolkit of this machine. It is seldom in the folder in which it was when duomap's packages
// were built. host only
#pragma once

#include <string>

namespace duomap::apps {

/// The first folder that has bin/nvcc: `built_with`, the toolkits of nvcc on PATH (links followed), or
/// /usr/local/cuda.
/// @throws error, which names these folders and says how to go on, when none has bin/nvcc
[[nodiscard]] std::string find_cuda(const std::string& built_with);

}  // namespace duomap::apps
