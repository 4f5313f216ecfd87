// The GPUs that the driver shows to a process in files, without CUDA.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap::gpu {

/// The place of each GPU on PCI, "0000:3b:00.0", in that order, which is CUDA's for GPUs that are alike;
/// empty texts where it is not known. CUDA may show fewer: CUDA_VISIBLE_DEVICES hides some. Takes some
/// microseconds.
[[nodiscard]] std::vector<std::string> gpus_of_driver();

}  // namespace duomap::gpu
