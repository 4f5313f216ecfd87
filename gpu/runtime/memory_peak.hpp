// How much device memory this process has needed. host only
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Most bytes that this process's buffers on a GPU (device_info::index) held at a time since this was last
/// asked; without the context and what libraries allocate for themselves. 0 for a GPU that it has not used.
[[nodiscard]] std::uint64_t take_memory_peak(int device_index);

}  // namespace duomap::gpu
