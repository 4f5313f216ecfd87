// Makes small copies to a device that wait for no other copies. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Queues a copy of `words` words of eight bytes from page-locked memory to a device, by a kernel. A copy
/// engine makes the copies of all streams one after the other: 64 KiB took an H200 0.6 ms and up to 5,
/// because pieces of the input came first.
void copy_small(std::uint64_t* to, const std::uint64_t* from, std::uint64_t words, const stream& on);

}  // namespace duomap::gpu
