// Lists the GPUs by the files that the driver shows, without CUDA.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap::gpu {

/// The PCI address of each GPU, "0000:3b:00.0", in ascending order, which is CUDA's order if the GPUs are of
/// one model. An unknown address is an empty text. CUDA may show fewer GPUs, because CUDA_VISIBLE_DEVICES
/// hides some. Takes some microseconds.
[[nodiscard]] std::vector<std::string> gpus_of_driver();

}  // namespace duomap::gpu
