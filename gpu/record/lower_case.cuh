// Turns the ASCII capital letters of a chunk in device memory into small letters, in place.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Queues the change of `bytes` bytes. It may also change up to 15 bytes behind them.
void lower_case(char* data, std::uint64_t bytes, const stream& on);

}  // namespace duomap::gpu
