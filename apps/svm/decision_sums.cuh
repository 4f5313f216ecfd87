// Decision values from a tile of inner products: the map makes kernel values of them, the reduction adds them
// up for each row, weighted. For device code.
#pragma once

#include "apps/svm/kernel_map.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned decision_threads = 256;

/// decisions[r] += sum over columns c of weights[c] * K(r, c), in an order that depends on `columns` alone. A
/// block for each row of the tile.
static __global__ void __launch_bounds__(decision_threads)
    add_decisions(const float* products, std::uint64_t stride, std::uint32_t columns,
                  const float* row_squares, const float* column_squares, const float* weights, kernel_map map,
                  double* decisions) {
  const float* const row = products + blockIdx.x * stride;
  const float square = row_squares[blockIdx.x];
  double sum = 0;
#pragma unroll 4
  for (std::uint32_t c = threadIdx.x; c < columns; c += decision_threads)
    sum += static_cast<double>(weights[c] * map(row[c], square, column_squares[c]));
  __shared__ double of_warp[decision_threads / 32];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < decision_threads / 32; ++warp) sum += of_warp[warp];
    decisions[blockIdx.x] += sum;
  }
}

}  // namespace duomap::gpu
