// A step of k-means for points of one to three dimensions: a thread has some points and goes through all
// centres, and each lane adds to sums of its own.
#pragma once

#include "apps/algorithms/kmeans/grid_rounding.cuh"
#include "apps/algorithms/kmeans/lloyd_arguments.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned few_dimensions = 3;
/// Cells of a centre: two for each dimension, and the count.
inline constexpr unsigned few_cells = 2 * few_dimensions + 1;

struct lloyd_few_plan {
  std::uint32_t copies;             ///< of every cell, a power of two up to 32
  std::uint32_t rounds_until_full;  ///< then sums of 32 bits may be full
};

template <int Points, unsigned Threads>
__global__ void __launch_bounds__(Threads)
    lloyd_few_kernel(const lloyd_arguments a, const lloyd_few_plan plan) {
  extern __shared__ float4 shared[];
  float4* const centres = shared;  // -c, and |c|^2 / 2
  // The copies of a cell side by side: lanes meet in no bank while there are 32.
  int* const cells = reinterpret_cast<int*>(shared + a.centres);
  const std::uint32_t cell_count = a.centres * few_cells;
  const unsigned copy = threadIdx.x % plan.copies;
  float shift[few_dimensions], unit[few_dimensions];
#pragma unroll
  for (unsigned d = 0; d < few_dimensions; ++d) {
    shift[d] = d < a.dimensions ? a.shift[d] : 0.f;
    unit[d] = d < a.dimensions ? a.units[d] : 1.f;
  }
  const grid_rounding round[few_dimensions] = {
      {unit[0], a.low_bits}, {unit[1], a.low_bits}, {unit[2], a.low_bits}};

  for (std::uint32_t c = threadIdx.x; c < a.centres; c += Threads) {
    const float* const from = a.negative_centres + c * a.dimensions;
    centres[c] = {from[0], a.dimensions > 1 ? from[1] : 0.f, a.dimensions > 2 ? from[2] : 0.f,
                  a.half_squares[c]};
  }
  for (std::uint32_t i = threadIdx.x; i < cell_count * plan.copies; i += Threads) cells[i] = 0;
  __syncthreads();

  // Each thread begins with another copy, so that a warp's threads read different banks.
  const auto take = [&](std::uint32_t cell) {
    long long sum = 0;
    for (unsigned i = 0; i < plan.copies; ++i) {
      int& one = cells[cell * plan.copies + (i + threadIdx.x) % plan.copies];
      sum += one;
      one = 0;
    }
    return sum;
  };
  const auto flush = [&] {
    for (std::uint32_t i = threadIdx.x; i < a.centres * (few_dimensions + 1); i += Threads) {
      const std::uint32_t c = i / (few_dimensions + 1), d = i % (few_dimensions + 1);
      const std::uint32_t cell = c * few_cells + 2 * d;
      long long sum = take(cell);
      if (d < few_dimensions) sum = (sum << a.low_bits) + take(cell + 1);
      if (sum != 0)
        atomicAdd(a.sums_of(c) + (d < few_dimensions ? d : a.dimensions),
                  static_cast<unsigned long long>(sum));
    }
  };

  std::uint32_t rounds = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * Threads * Points;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * Threads * Points; first < a.count; first += step) {
    float x[Points][few_dimensions];
    float smallest[Points];
    std::uint32_t index[Points];
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      const std::uint64_t at = first + p * Threads + threadIdx.x;
#pragma unroll
      for (unsigned d = 0; d < few_dimensions; ++d)
        x[p][d] = at < a.count && d < a.dimensions ? a.points[at * a.dimensions + d] - shift[d] : 0.f;
      smallest[p] = __int_as_float(0x7f800000);
      index[p] = 0;
    }
#pragma unroll 4
    for (std::uint32_t c = 0; c < a.centres; ++c) {
      const float4 centre = centres[c];
#pragma unroll
      for (int p = 0; p < Points; ++p) {
        const float score =
            fmaf(centre.z, x[p][2], fmaf(centre.y, x[p][1], fmaf(centre.x, x[p][0], centre.w)));
        if (score < smallest[p]) {
          smallest[p] = score;
          index[p] = c;
        }
      }
    }
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      const std::uint64_t at = first + p * Threads + threadIdx.x;
      if (at >= a.count) continue;
      if (a.labels != nullptr) a.labels[at] = index[p];
      int* const to = cells + index[p] * few_cells * plan.copies + copy;
#pragma unroll
      for (unsigned d = 0; d < few_dimensions; ++d) {
        if (d >= a.dimensions) break;
        const grid_number number = round[d](x[p][d]);
        atomicAdd(to + 2 * d * plan.copies, number.high);
        atomicAdd(to + (2 * d + 1) * plan.copies, number.low);
      }
      atomicAdd(to + 2 * few_dimensions * plan.copies, 1);
    }
    if (++rounds == plan.rounds_until_full) {
      rounds = 0;
      __syncthreads();
      flush();
      __syncthreads();
    }
  }
  __syncthreads();
  flush();
}

}  // namespace duomap::gpu
