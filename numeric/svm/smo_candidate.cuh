// Reduces the candidates of a step of SMO over a warp and over all blocks of a resident kernel. After a
// reduction, every thread knows the winner.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace duomap::gpu {

/// The point that a group of points offers. The largest `key` wins; of equal keys, the smaller index wins. A
/// key of 0 means that the group has no point to offer.
struct smo_candidate {
  std::uint32_t key = 0;
  std::uint32_t index = 0;
  double value = 0;     ///< f of the point
  double room = 0;      ///< the distance that its multiplier may move in the offered direction
  float curvature = 0;  ///< first reduction: K(i, i); second: K(i, i) + K(j, j) - 2 K(i, j)
};

/// Maps floats to integers in their order. Every number has a key above 0.
__device__ inline std::uint32_t rising_key(float x) {
  const std::uint32_t bits = __float_as_uint(x);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
__device__ inline std::uint32_t falling_key(float x) { return rising_key(-x); }

/// Returns the largest number of the 32 lanes to all lanes.
template <class T>
__device__ T largest_of_warp(T x) {
  constexpr unsigned all = 0xffffffffu;
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(all, x);
#else
  for (unsigned step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(all, x, step));
  return x;
#endif
}

/// Returns the first lane with the largest key. All 32 lanes take part.
__device__ inline unsigned lane_of_largest(std::uint32_t key, std::uint32_t& largest) {
  largest = largest_of_warp(key);
  return static_cast<unsigned>(__ffs(static_cast<int>(__ballot_sync(0xffffffffu, key == largest)))) - 1;
}

/// A barrier for all blocks of a kernel, which must all run at once. It needs a counter in device memory that
/// is 0 at launch.
class grid_barrier {
 public:
  __device__ explicit grid_barrier(unsigned* arrived) : arrived_(arrived) {}

  /// All threads of all blocks must call it.
  __device__ void wait() {
    __syncthreads();
    due_ += gridDim.x;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived_, 1u);
      while (static_cast<int>(*const_cast<volatile unsigned*>(arrived_) - due_) < 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  unsigned* arrived_;
  unsigned due_ = 0;
};

/// Reductions over all blocks of a grid, through device memory. `slots` has 4 candidates for each block.
template <unsigned Warps>
class grid_exchange {
 public:
  struct shared_part {
    smo_candidate from_warp[2][Warps];
  };

  __device__ grid_exchange(shared_part& shared, smo_candidate* slots, unsigned* arrived)
    : shared_(shared), slots_(slots), barrier_(arrived) {}

  /// Finds the winners of `Kinds` reductions over all threads' candidates. Every thread gets the same
  /// winners.
  template <unsigned Kinds>
  __device__ void reduce(smo_candidate (&best)[Kinds]) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned kind = 0; kind < Kinds; ++kind) {
      std::uint32_t largest = 0;
      if (lane_of_largest(best[kind].key, largest) == lane) shared_.from_warp[kind][warp] = best[kind];
    }
    __syncthreads();
    if (warp < Kinds) {
      std::uint32_t largest = 0;
      const unsigned from = lane_of_largest(lane < Warps ? shared_.from_warp[warp][lane].key : 0, largest);
      if (lane == 0) slots_[(parity_ * 2 + warp) * gridDim.x + blockIdx.x] = shared_.from_warp[warp][from];
    }
    barrier_.wait();
#pragma unroll
    for (unsigned kind = 0; kind < Kinds; ++kind) {
      const smo_candidate* const all = slots_ + (parity_ * 2 + kind) * gridDim.x;
      std::uint32_t key = 0;
      unsigned block = 0;
      for (unsigned b = lane; b < gridDim.x; b += 32) {
        const std::uint32_t other = all[b].key;
        if (other > key) {
          key = other;
          block = b;
        }
      }
      std::uint32_t largest = 0;
      static_cast<void>(lane_of_largest(key, largest));
      // Of equal keys, the candidate of the first block wins, because this block has the first points.
      std::uint32_t none = 0;
      const unsigned from = lane_of_largest(key == largest ? ~block : 0, none);
      best[kind] = all[__shfl_sync(0xffffffffu, block, static_cast<int>(from))];
    }
    parity_ ^= 1;
  }

 private:
  shared_part& shared_;
  smo_candidate* slots_;
  grid_barrier barrier_;
  unsigned parity_ = 0;
};

}  // namespace duomap::gpu
