// Runs a step of k-means for points of any number of dimensions: a matrix product that stays in registers
// finds the nearest centres, then a lane for each dimension adds exact sums.
#pragma once

#include "core/config.hpp"
#include "numeric/kmeans/grid_rounding.cuh"
#include "numeric/kmeans/lloyd_arguments.cuh"

#include <cstdint>

namespace duomap::gpu {

/// In a warp, `point_lanes` lanes share the points and 32 / point_lanes lanes share the centres; each lane
/// has `Points` by `Centres` scores. The warps of a block share centres and sums. They rarely wait for each
/// other, so that some read memory while others compute.
template <int PointLanes, int Points, int Centres>
struct lloyd_tile {
  static constexpr unsigned slab = 32;                            ///< dimensions handled at a time
  static constexpr unsigned rows = PointLanes * Points;           ///< points of a warp at a time
  static constexpr unsigned several = 32 / PointLanes * Centres;  ///< centres compared at a time
  // An odd number of 16-byte units puts rows that 8 lanes read at once on different banks.
  static constexpr unsigned stride = slab + 4;
  static constexpr std::uint64_t warp_bytes = rows * (stride + 1) * 4;

  [[nodiscard]] static DUOMAP_HD constexpr std::uint32_t padded(std::uint32_t centres) {
    return (centres + several - 1) / several * several;
  }
  [[nodiscard]] static constexpr std::uint64_t centre_bytes(std::uint64_t centres) {
    return centres * (stride + 1) * 4;
  }
  /// Bytes of the sums in shared memory. For each slab of dimensions, a centre has sums of high parts, and
  /// 128 bytes further sums of low parts. One count follows at the end.
  [[nodiscard]] static constexpr std::uint64_t sum_bytes(std::uint64_t centres, std::uint64_t dimensions) {
    return centres * ((dimensions + slab - 1) / slab * 2 * slab + 1) * 4;
  }
};

/// The arrays that a launch keeps in shared memory.
struct lloyd_tile_plan {
  bool centres_stay;               ///< all centres are in shared memory; else `several` at a time
  bool sums_stay;                  ///< in shared memory until the end; else each sum goes to `totals` at once
  std::uint32_t tiles_until_full;  ///< tiles of a warp after which sums of 32 bits may be full
};

template <int PointLanes, int Points, int Centres, unsigned MostThreads>
__global__ void __launch_bounds__(MostThreads)
    lloyd_tile_kernel(const lloyd_arguments a, const lloyd_tile_plan plan) {
  using tile = lloyd_tile<PointLanes, Points, Centres>;
  constexpr unsigned stride = tile::stride, slab = tile::slab, rows = tile::rows;
  constexpr unsigned centre_lanes = 32 / PointLanes, quads = slab / 4;
  extern __shared__ float4 shared[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const std::uint32_t all_centres = tile::padded(a.centres);
  const std::uint32_t centre_rows = plan.centres_stay ? all_centres : tile::several;
  const std::uint32_t slabs = (a.dimensions + slab - 1) / slab;
  const std::uint32_t sum_stride = 2 * slab * slabs;
  const std::uint32_t cells = plan.sums_stay ? a.centres * sum_stride : 0;
  float* const point_rows = reinterpret_cast<float*>(shared) + warp * rows * stride;
  float* const centre_values = reinterpret_cast<float*>(shared) + warps * rows * stride;
  float* const half_squares = centre_values + centre_rows * stride;
  auto* const nearest = reinterpret_cast<std::uint32_t*>(half_squares + centre_rows) + warp * rows;
  int* const sums = reinterpret_cast<int*>(half_squares + centre_rows) + warps * rows;
  int* const counts = sums + cells;

  const unsigned point_lane = lane % PointLanes, centre_lane = lane / PointLanes;
  const auto load_centres = [&](std::uint32_t first, std::uint32_t s) {
    const std::uint32_t d = s * slab + lane;
    for (std::uint32_t r = warp; r < centre_rows; r += warps) {
      const std::uint32_t c = first + r;
      centre_values[r * stride + lane] =
          c < a.centres && d < a.dimensions ? a.negative_centres[std::uint64_t{c} * a.dimensions + d] : 0.f;
      if (lane == 0) half_squares[r] = c < a.centres ? a.half_squares[c] : __int_as_float(0x7f800000);
    }
  };
  const auto load_points = [&](std::uint64_t first, unsigned valid, std::uint32_t s) {
    if (a.dimensions % 4 == 0) {
      const unsigned quad = lane % quads;
      const std::uint32_t d = s * slab + 4 * quad;
      float4 less{};
      if (d < a.dimensions) less = *reinterpret_cast<const float4*>(a.shift + d);
#pragma unroll 8
      for (unsigned i = 0; i < rows / (32 / quads); ++i) {
        const unsigned r = i * (32 / quads) + lane / quads;
        float4 x{};
        if (r < valid && d < a.dimensions) {
          const float4 from = *reinterpret_cast<const float4*>(a.points + (first + r) * a.dimensions + d);
          x = {from.x - less.x, from.y - less.y, from.z - less.z, from.w - less.w};
        }
        reinterpret_cast<float4*>(point_rows + r * stride)[quad] = x;
      }
      return;
    }
    const std::uint32_t d = s * slab + lane;
    const float less = d < a.dimensions ? a.shift[d] : 0.f;
#pragma unroll 16
    for (unsigned r = 0; r < rows; ++r) {
      float x = 0;
      if (r < valid && d < a.dimensions) x = a.points[(first + r) * a.dimensions + d] - less;
      point_rows[r * stride + lane] = x;
    }
  };
  // Moves the sums to `totals`. Needs a barrier before and a barrier after the call.
  const auto flush = [&] {
    for (std::uint32_t i = threadIdx.x; i < cells / 2; i += blockDim.x) {
      const std::uint32_t c = i / (slab * slabs), d = i % (slab * slabs);
      int* const cell = sums + c * sum_stride + d / slab * 2 * slab + d % slab;
      if (d < a.dimensions && counts[c] > 0) {
        const grid_number bias = grid_rounding(a.units[d], a.low_bits).bias();
        const auto count = static_cast<unsigned>(counts[c]);
        const grid_number sum{static_cast<int>(static_cast<unsigned>(cell[0]) - count * bias.high),
                              static_cast<int>(static_cast<unsigned>(cell[slab]) - count * bias.low)};
        atomicAdd(a.sums_of(c) + d, units_of(sum, a.low_bits));
        cell[0] = cell[slab] = 0;
      }
    }
    __syncthreads();
    for (std::uint32_t c = threadIdx.x; c < a.centres && plan.sums_stay; c += blockDim.x) {
      if (counts[c] > 0) atomicAdd(a.sums_of(c) + a.dimensions, static_cast<unsigned long long>(counts[c]));
      counts[c] = 0;
    }
  };

  for (std::uint32_t i = threadIdx.x; i < cells; i += blockDim.x) sums[i] = 0;
  for (std::uint32_t c = threadIdx.x; c < a.centres && plan.sums_stay; c += blockDim.x) counts[c] = 0;
  if (plan.centres_stay) load_centres(0, 0);
  __syncthreads();

  // All warps of a block take the same number of rounds, because they meet at barriers.
  std::uint32_t tiles_done = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * warps * rows;
  std::uint64_t first = (std::uint64_t{blockIdx.x} * warps + warp) * rows;
  for (std::uint64_t of_block = std::uint64_t{blockIdx.x} * warps * rows; of_block < a.count;
       of_block += step, first += step) {
    const unsigned valid = first >= a.count         ? 0
                           : a.count - first < rows ? static_cast<unsigned>(a.count - first)
                                                    : rows;
    __syncwarp();  // all lanes have read the last tile
    if (slabs == 1) load_points(first, valid, 0);
    __syncwarp();

    float smallest[Points];
    std::uint32_t index[Points];
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      smallest[p] = __int_as_float(0x7f800000);
      index[p] = 0;
    }
    for (std::uint32_t pass = 0; pass < all_centres; pass += tile::several) {
      float score[Centres][Points];
      for (std::uint32_t s = 0; s < slabs; ++s) {
        if (!plan.centres_stay) {
          __syncthreads();
          if (slabs > 1) load_points(first, valid, s);
          load_centres(pass, s);
          __syncthreads();
        }
        const std::uint32_t first_row = plan.centres_stay ? pass : 0;
        if (s == 0) {
#pragma unroll
          for (int c = 0; c < Centres; ++c) {
#pragma unroll
            for (int p = 0; p < Points; ++p)
              score[c][p] = half_squares[first_row + centre_lanes * c + centre_lane];
          }
        }
        const std::uint32_t left = a.dimensions - s * slab;
        const std::uint32_t groups = left < slab ? (left + 3) / 4 : quads;
        const auto* const x_at = reinterpret_cast<const float4*>(point_rows + point_lane * stride);
        const auto* const c_at =
            reinterpret_cast<const float4*>(centre_values + (first_row + centre_lane) * stride);
#pragma unroll 1
        for (std::uint32_t g = 0; g < groups; ++g) {
          float4 x[Points];
#pragma unroll
          for (int p = 0; p < Points; ++p) x[p] = x_at[p * PointLanes * stride / 4 + g];
#pragma unroll
          for (int c = 0; c < Centres; ++c) {
            const float4 by = c_at[c * centre_lanes * stride / 4 + g];
#pragma unroll
            for (int p = 0; p < Points; ++p) score[c][p] = fmaf(by.x, x[p].x, score[c][p]);
#pragma unroll
            for (int p = 0; p < Points; ++p) score[c][p] = fmaf(by.y, x[p].y, score[c][p]);
#pragma unroll
            for (int p = 0; p < Points; ++p) score[c][p] = fmaf(by.z, x[p].z, score[c][p]);
#pragma unroll
            for (int p = 0; p < Points; ++p) score[c][p] = fmaf(by.w, x[p].w, score[c][p]);
          }
        }
      }
#pragma unroll
      for (int c = 0; c < Centres; ++c) {
#pragma unroll
        for (int p = 0; p < Points; ++p) {
          if (score[c][p] < smallest[p]) {
            smallest[p] = score[c][p];
            index[p] = pass + centre_lanes * c + centre_lane;
          }
        }
      }
    }
    // Combines lanes that share points; the first of equally near centres wins.
#pragma unroll
    for (int p = 0; p < Points; ++p) {
#pragma unroll
      for (unsigned with = PointLanes; with < 32; with *= 2) {
        const float other = __shfl_xor_sync(~0u, smallest[p], with);
        const std::uint32_t other_index = __shfl_xor_sync(~0u, index[p], with);
        if (other < smallest[p] || (other == smallest[p] && other_index < index[p])) {
          smallest[p] = other;
          index[p] = other_index;
        }
      }
      const unsigned r = p * PointLanes + point_lane;
      if (centre_lane == 0) {
        nearest[r] = plan.sums_stay ? index[p] * sum_stride * 4 : index[p];  // byte offset of sums, or number
        if (r < valid && a.labels != nullptr) a.labels[first + r] = index[p];
        if (r < valid && plan.sums_stay) atomicAdd(counts + index[p], 1);
        if (r < valid && !plan.sums_stay) atomicAdd(a.sums_of(index[p]) + a.dimensions, 1ull);
      }
    }
    __syncwarp();

    for (std::uint32_t s = 0; s < slabs; ++s) {
      if (slabs > 1) {
        __syncwarp();
        load_points(first, valid, s);
        __syncwarp();
      }
      const std::uint32_t d = s * slab + lane;
      if (d >= a.dimensions) continue;
      const grid_rounding round(a.units[d], a.low_bits);
      if (plan.sums_stay) {
        char* const of_lane = reinterpret_cast<char*>(sums + s * 2 * slab + lane);
        const auto add = [&](unsigned r) {
          const grid_number number = round.with_bias(point_rows[r * stride + lane]);
          int* const cell = reinterpret_cast<int*>(of_lane + nearest[r]);
          atomicAdd(cell, number.high);
          atomicAdd(cell + slab, number.low);
        };
        if (valid == rows) {
#pragma unroll 8
          for (unsigned r = 0; r < rows; ++r) add(r);
        } else {
          for (unsigned r = 0; r < valid; ++r) add(r);
        }
      } else {
        for (unsigned r = 0; r < valid; ++r) {
          const grid_number number = round(point_rows[r * stride + lane]);
          atomicAdd(a.sums_of(nearest[r]) + d, units_of(number, a.low_bits));
        }
      }
    }
    if (++tiles_done == plan.tiles_until_full) {
      tiles_done = 0;
      __syncthreads();
      flush();
      __syncthreads();
    }
  }
  __syncthreads();
  flush();
}

}  // namespace duomap::gpu
