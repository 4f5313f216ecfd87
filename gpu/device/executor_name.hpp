// Makes the name of a GPU in reports.
#pragma once

#include <string>

namespace duomap::gpu {

/// "gpu 0 (NVIDIA H200)", by the number that CUDA gives a device (device_info::index).
[[nodiscard]] std::string executor_name(int index);

}  // namespace duomap::gpu
