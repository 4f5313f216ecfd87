// Makes the ASCII capital letters of a chunk in device memory small, in place.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Queues it for `bytes` bytes; up to 15 more are changed in the same way.
void lower_case(char* data, std::uint64_t bytes, const stream& on);

}  // namespace duomap::gpu
