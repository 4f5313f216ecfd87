// Operations that the lanes of a warp do together.
#pragma once

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned all_lanes = ~0u;

[[nodiscard]] __device__ inline unsigned lane_index() { return threadIdx.x % 32; }

/// A mask of the lanes below the calling lane.
[[nodiscard]] __device__ inline unsigned lanes_before() { return (1u << lane_index()) - 1; }

/// Sums the values of this lane and all lanes below it.
[[nodiscard]] __device__ inline std::uint32_t inclusive_sum(std::uint32_t value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(all_lanes, value, step);
    if (lane_index() >= step) value += other;
  }
  return value;
}

[[nodiscard]] __device__ inline unsigned long long warp_sum(unsigned long long value) {
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) value += __shfl_xor_sync(all_lanes, value, step);
  return value;
}

}  // namespace duomap::gpu
