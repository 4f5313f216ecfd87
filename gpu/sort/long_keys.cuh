// Brings together the bytes of long keys that a result still needs.
#pragma once

#include "core/compact_key.hpp"
#include "gpu/runtime/stream.cuh"
#include "gpu/sort/scratch.cuh"

#include <cstdint>

namespace duomap::gpu {

/// `count` compact_keys, `stride` bytes apart in device memory.
struct strided_keys {
  char* first = nullptr;
  std::uint64_t stride = 0;
  std::uint64_t count = 0;

  [[nodiscard]] __device__ compact_key& at(std::uint64_t i) const {
    return *reinterpret_cast<compact_key*>(first + i * stride);
  }
};

/// Where the bytes of each long key will stand among those of all: offsets, count + 1 numbers, the last being
/// the bytes of all, which is returned; waits for the stream.
[[nodiscard]] std::uint64_t place_long_keys(const strided_keys& keys, std::uint64_t* offsets,
                                            scratch& temporary, const stream& on);

/// Copies the bytes to `to` and makes the keys point into `later`, where they will stand when they are read.
void gather_long_keys(const strided_keys& keys, const std::uint64_t* offsets, char* to, const char* later,
                      const stream& on);

}  // namespace duomap::gpu
