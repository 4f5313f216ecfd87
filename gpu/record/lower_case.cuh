// Turns the ASCII capital letters of a chunk in device memory into small letters, in place.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Queues the change of `bytes` bytes. Up to 15 bytes behind them may change too.
void lower_case(char* data, std::uint64_t bytes, const stream& on);

}  // namespace duomap::gpu
