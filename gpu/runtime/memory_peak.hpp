// How much device memory this process has needed. host only
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Most bytes that this process's buffers on a GPU (device_info::index) held at a time since this was last
/// asked; without the context, which this starts if it must, and what libraries allocate for themselves.
/// Without CUDA 0.
[[nodiscard]] std::uint64_t take_memory_peak(int device_index);

}  // namespace duomap::gpu
