// Brings together the bytes of long keys that a result still needs.
#pragma once

#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Where the bytes of each of `count` keys will stand among those of all: offsets, count + 1 numbers, the
/// last being the bytes of all, which is returned; waits for the stream.
[[nodiscard]] std::uint64_t place_long_keys(const writable_keys& keys, std::uint64_t count,
                                            std::uint64_t* offsets, scratch& temporary, const stream& on);

/// Copies the bytes to `to` and makes the keys point into `later`, where they will stand when they are read.
void gather_long_keys(const writable_keys& keys, std::uint64_t count, const std::uint64_t* offsets, char* to,
                      const char* later, const stream& on);

}  // namespace duomap::gpu
