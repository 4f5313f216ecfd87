// Runs a step of k-means for points of one to three dimensions: each thread compares its points with all
// centres, and each lane adds to its own copy of the sums.
#pragma once

#include "core/config.hpp"
#include "numeric/kmeans/grid_rounding.cuh"
#include "numeric/kmeans/lloyd_arguments.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned few_dimensions = 3;
/// The number of cells of a centre: two for each dimension, and one for the number of points.
[[nodiscard]] DUOMAP_HD constexpr unsigned cells_per_centre(unsigned dimensions) {
  return 2 * dimensions + 1;
}

/// The number of centres in shared memory, in pairs: one that is nearest to no point may complete the last
/// pair.
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t padded_centres(std::uint32_t centres) {
  return (centres + 1) / 2 * 2;
}

struct lloyd_few_plan {
  std::uint32_t copies;             ///< of every cell: a power of two up to 32
  std::uint32_t rounds_until_full;  ///< rounds after which sums of 32 bits may be full
};

namespace detail {

/// Subtracts `bias` from `sum` once for each of its `terms` terms, in 32 bits.
[[nodiscard]] __device__ inline int without(int sum, int terms, int bias) {
  return static_cast<int>(static_cast<unsigned>(sum) -
                          static_cast<unsigned>(terms) * static_cast<unsigned>(bias));
}

/// Returns the score of the point `x`, |c|^2 / 2 - c x. `centre` holds -c and |c|^2 / 2.
template <unsigned Dimensions>
[[nodiscard]] __device__ inline float few_score(const float4& centre, const float (&x)[few_dimensions]) {
  float score = fmaf(centre.x, x[0], centre.w);
  if (Dimensions > 1) score = fmaf(centre.y, x[1], score);
  if (Dimensions > 2) score = fmaf(centre.z, x[2], score);
  return score;
}

}  // namespace detail

template <unsigned Dimensions, int Points, unsigned Threads>
__global__ void __launch_bounds__(Threads)
    lloyd_few_kernel(const lloyd_arguments a, const lloyd_few_plan plan) {
  constexpr unsigned own_cells = cells_per_centre(Dimensions);
  extern __shared__ float4 shared[];
  float4* const centres = shared;
  // The copies of a cell lie side by side: with 32 copies, no two lanes of a warp use the same bank.
  const std::uint32_t pairs_end = padded_centres(a.centres);
  int* const cells = reinterpret_cast<int*>(shared + pairs_end);
  const std::uint32_t cell_count = a.centres * own_cells;
  const unsigned copy = threadIdx.x % plan.copies;
  // Missing dimensions take the unit of the first dimension.
  const grid_rounding round[few_dimensions] = {{a.units[0], a.low_bits},
                                               {a.units[Dimensions > 1 ? 1 : 0], a.low_bits},
                                               {a.units[Dimensions > 2 ? 2 : 0], a.low_bits}};
  float shift[Dimensions];
#pragma unroll
  for (unsigned d = 0; d < Dimensions; ++d) shift[d] = a.shift[d];

  for (std::uint32_t c = threadIdx.x; c < a.centres; c += Threads) {
    const float* const from = a.negative_centres + c * Dimensions;
    centres[c] = {from[0], Dimensions > 1 ? from[1] : 0.f, Dimensions > 2 ? from[2] : 0.f, a.half_squares[c]};
  }
  if (threadIdx.x == 0 && pairs_end > a.centres)
    centres[a.centres] = {0.f, 0.f, 0.f, __int_as_float(0x7f800000)};
  const auto clear = [&] {
    for (std::uint32_t i = threadIdx.x; i < cell_count * plan.copies; i += Threads) cells[i] = 0;
    __syncthreads();
  };
  clear();

  // Adds the block's sums to the totals, and subtracts the biases that the points have left in the sums.
  const auto flush = [&] {
    for (std::uint32_t i = threadIdx.x; i < a.centres * (Dimensions + 1); i += Threads) {
      const std::uint32_t c = i / (Dimensions + 1), d = i % (Dimensions + 1);
      const int* const mine = cells + c * own_cells * plan.copies;
      const grid_number bias = d == 0 ? round[0].bias() : d == 1 ? round[1].bias() : round[2].bias();
      long long high = 0, low = 0;
      for (unsigned j = 0; j < plan.copies; ++j) {
        // Each thread begins with another copy, so that the threads of a warp read different banks.
        const unsigned at = (j + threadIdx.x) % plan.copies;
        const int count = mine[2 * Dimensions * plan.copies + at];
        if (d == Dimensions) {
          low += count;
        } else {
          high += detail::without(mine[2 * d * plan.copies + at], count, bias.high);
          low += detail::without(mine[(2 * d + 1) * plan.copies + at], count, bias.low);
        }
      }
      const long long sum = (high << a.low_bits) + low;
      if (sum != 0) atomicAdd(a.sums_of(c) + d, static_cast<unsigned long long>(sum));
    }
    __syncthreads();
  };

  std::uint32_t rounds = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * Threads * Points;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * Threads * Points; first < a.count; first += step) {
    const bool is_whole = first + Threads * Points <= a.count;
    float x[Points][few_dimensions];
    float smallest[Points];
    std::uint32_t index[Points];
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      const std::uint64_t at = first + p * Threads + threadIdx.x;
#pragma unroll
      for (unsigned d = 0; d < few_dimensions; ++d)
        x[p][d] = (is_whole || at < a.count) && d < Dimensions
                      ? a.points[at * Dimensions + d] - shift[d < Dimensions ? d : 0]
                      : 0.f;
      smallest[p] = __int_as_float(0x7f800000);
      index[p] = 0;
    }
    // Keeps only the pair of centres with the smallest score, and finds the better centre of this pair after
    // the loop. So a pair takes four instructions beside its scores, instead of six.
    for (std::uint32_t c = 0; c < pairs_end; c += 2) {
      const float4 one = centres[c], other = centres[c + 1];
#pragma unroll
      for (int p = 0; p < Points; ++p) {
        const float least = fminf(fminf(smallest[p], detail::few_score<Dimensions>(one, x[p])),
                                  detail::few_score<Dimensions>(other, x[p]));
        if (least < smallest[p]) index[p] = c;
        smallest[p] = least;
      }
    }
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      const float4 one = centres[index[p]], other = centres[index[p] + 1];
      if (detail::few_score<Dimensions>(other, x[p]) < detail::few_score<Dimensions>(one, x[p])) ++index[p];
    }
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      const std::uint64_t at = first + p * Threads + threadIdx.x;
      if (!is_whole && at >= a.count) continue;
      if (a.labels != nullptr) a.labels[at] = index[p];
      int* const to = cells + index[p] * own_cells * plan.copies + copy;
#pragma unroll
      for (unsigned d = 0; d < Dimensions; ++d) {
        const grid_number number = round[d].with_bias(x[p][d]);
        atomicAdd(to + 2 * d * plan.copies, number.high);
        atomicAdd(to + (2 * d + 1) * plan.copies, number.low);
      }
      atomicAdd(to + 2 * Dimensions * plan.copies, 1);
    }
    if (++rounds == plan.rounds_until_full) {
      rounds = 0;
      __syncthreads();
      flush();
      clear();
    }
  }
  __syncthreads();
  flush();
}

}  // namespace duomap::gpu
