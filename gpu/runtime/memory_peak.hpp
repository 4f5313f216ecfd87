// Measures the peak of the device memory that this process used. host only
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Returns the most bytes that this process's buffers on a GPU (device_info::index) held at a time since the
/// last call. The number leaves out the context, and memory that libraries allocate for themselves. Starts
/// the context if there is none. Returns 0 without CUDA.
[[nodiscard]] std::uint64_t take_memory_peak(int device_index);

}  // namespace duomap::gpu
