// Sums over the threads of a block.
#pragma once

#include "gpu/object/tuning.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Shared memory of sum_over_block(), which a barrier separates from the next use.
struct block_sum_memory {
  std::uint64_t warps[block_threads / 32];
};

/// What the threads before the calling one hold together, and all threads.
struct block_sum {
  std::uint64_t before;
  std::uint64_t total;
};

/// By all threads of a block of block_threads; contains a barrier.
[[nodiscard]] __device__ inline block_sum sum_over_block(std::uint64_t mine, block_sum_memory& memory) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  std::uint64_t up_to_mine = mine;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint64_t other = __shfl_up_sync(~0u, up_to_mine, step);
    if (lane >= step) up_to_mine += other;
  }
  if (lane == 31) memory.warps[warp] = up_to_mine;
  __syncthreads();
  block_sum sum{up_to_mine - mine, 0};
#pragma unroll
  for (unsigned i = 0; i < block_threads / 32; ++i) {
    if (i < warp) sum.before += memory.warps[i];
    sum.total += memory.warps[i];
  }
  return sum;
}

}  // namespace duomap::gpu
