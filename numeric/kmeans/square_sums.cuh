// Adds up the squares of all points' coordinates on the grid, by dimension, once for each clustering.
#pragma once

#include "numeric/kmeans/grid_rounding.cuh"
#include "numeric/kmeans/lloyd_arguments.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned square_threads = 256;

/// The kernel. A group of `lanes` lanes, a power of two up to 32, shares the dimensions of a row. blockIdx.y
/// is the slab of dimensions.
__global__ void __launch_bounds__(square_threads)
    square_sums_kernel(const lloyd_arguments a, std::uint32_t lanes) {
  const std::uint32_t d = blockIdx.y * lanes + threadIdx.x % lanes;
  if (d >= a.dimensions) return;
  const grid_rounding round(a.units[d], a.low_bits);
  const float shift = a.shift[d];
  const std::uint64_t rows = square_threads / lanes;
  unsigned long long high = 0, mixed = 0, low = 0;
#pragma unroll 8
  for (std::uint64_t r = blockIdx.x * rows + threadIdx.x / lanes; r < a.count; r += gridDim.x * rows) {
    const grid_number number = round(a.points[r * a.dimensions + d] - shift);
    high += static_cast<unsigned long long>(static_cast<long long>(number.high) * number.high);
    mixed += static_cast<unsigned long long>(static_cast<long long>(number.high) * number.low);
    low += static_cast<unsigned long long>(static_cast<long long>(number.low) * number.low);
  }
  unsigned long long* const to = a.sums_of(a.centres) + 3 * d;
  atomicAdd(to, high);
  atomicAdd(to + 1, mixed);
  atomicAdd(to + 2, low);
}

}  // namespace duomap::gpu
