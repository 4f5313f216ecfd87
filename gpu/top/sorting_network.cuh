// Sorting by threads together: the bitonic network in the form in which every comparison puts the smaller
// item in front, so that any number of items can be sorted and none is needed to fill up to a power of two.
#pragma once

#include "core/config.hpp"
#include "gpu/runtime/warp.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The threads that sort together.
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

/// Two items of an array that a step of the network compares.
struct item_pair {
  std::uint64_t first;
  std::uint64_t second;
};

/// The i-th pair of the first step that merges sorted halves of `size` items: from both ends inwards.
[[nodiscard]] DUOMAP_HD constexpr item_pair mirrored_pair(std::uint64_t i, std::uint64_t size) {
  const std::uint64_t half = size / 2;
  const std::uint64_t begin = i / half * size;
  return {begin + i % half, begin + size - 1 - i % half};
}

/// The i-th pair of a later step: `distance` apart.
[[nodiscard]] DUOMAP_HD constexpr item_pair distant_pair(std::uint64_t i, std::uint64_t distance) {
  const std::uint64_t first = i / distance * 2 * distance + i % distance;
  return {first, first + distance};
}

/// Puts the two items of a pair in order; a pair that reaches behind `count` items is in order.
template <class T, class Less>
DUOMAP_HD void put_in_order(T* items, std::uint64_t count, const item_pair& pair, const Less& less) {
  if (pair.second >= count || !less(items[pair.second], items[pair.first])) return;
  const T front = items[pair.second];
  items[pair.second] = items[pair.first];
  items[pair.first] = front;
}

/// The steps of a merge from `distance` on down. For all `Threads`; ends with a barrier.
template <class Threads, class T, class Less>
__device__ void merge_together(T* items, unsigned count, unsigned distance, const Less& less) {
  for (; distance > 0; distance /= 2) {
    for (unsigned i = Threads::rank(); distant_pair(i, distance).first < count; i += Threads::size())
      put_in_order(items, count, distant_pair(i, distance), less);
    Threads::wait();
  }
}

/// Sorts `count` items. For all `Threads`, after a barrier; ends with one.
template <class Threads, class T, class Less>
__device__ void sort_together(T* items, unsigned count, const Less& less) {
  for (unsigned size = 2; size / 2 < count; size *= 2) {
    for (unsigned i = Threads::rank(); mirrored_pair(i, size).first < count; i += Threads::size())
      put_in_order(items, count, mirrored_pair(i, size), less);
    Threads::wait();
    merge_together<Threads>(items, count, size / 4, less);
  }
}

}  // namespace duomap::gpu
