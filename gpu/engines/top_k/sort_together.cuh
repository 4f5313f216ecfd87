// Sorts an array with all threads of a warp or of a block.
#pragma once

#include "gpu/engines/top_k/sorting_network.hpp"
#include "gpu/runtime/warp.cuh"

namespace duomap::gpu {

/// The threads that sort together: those of a warp.
struct whole_warp {
  [[nodiscard]] __device__ static unsigned rank() { return lane_index(); }
  [[nodiscard]] __device__ static unsigned size() { return 32; }
  __device__ static void wait() { __syncwarp(); }
};
struct whole_block {
  [[nodiscard]] __device__ static unsigned rank() { return threadIdx.x; }
  [[nodiscard]] __device__ static unsigned size() { return blockDim.x; }
  __device__ static void wait() { __syncthreads(); }
};

/// The steps of a merge from `distance` down to 1. All `Threads` must call it; ends with a barrier.
template <class Threads, class T, class Less>
__device__ void merge_together(T* items, unsigned count, unsigned distance, const Less& less) {
  for (; distance > 0; distance /= 2) {
    const unsigned pairs = pairs_of(count, 2 * distance);
    for (unsigned i = Threads::rank(); i < pairs; i += Threads::size())
      put_in_order(items, count, distant_pair(i, distance), less);
    Threads::wait();
  }
}

/// Sorts `count` items. All `Threads` must call it after a barrier; ends with a barrier.
template <class Threads, class T, class Less>
__device__ void sort_together(T* items, unsigned count, const Less& less) {
  // Even without sorting there is the promised barrier, after which a caller may change the count in memory.
  if (count < 2) Threads::wait();
  for (unsigned size = 2; size / 2 < count; size *= 2) {
    const unsigned pairs = pairs_of(count, size);
    for (unsigned i = Threads::rank(); i < pairs; i += Threads::size())
      put_in_order(items, count, mirrored_pair(i, size), less);
    Threads::wait();
    merge_together<Threads>(items, count, size / 4, less);
  }
}

}  // namespace duomap::gpu
