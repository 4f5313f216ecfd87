// The kernel of a step of k-means: nearest centres as a matrix product in registers, then exact sums of the
// points of each centre.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// What the kernel works on. Points and centres are rows of `dimensions` floats; `shift` is taken from points
/// before anything else, and from centres already.
struct lloyd_arguments {
  const float* points;
  std::uint64_t count;
  std::uint32_t dimensions;
  std::uint32_t centres;
  const float* negative_centres;  ///< -c
  const float* half_squares;      ///< |c|^2 / 2
  const float* shift;
  const float* units;     ///< of each dimension's grid: a power of 2
  std::uint32_t low_bits; ///< of the numbers on the grid; those above are added apart
  /// Tiles after which a block's sums of 32 bits might be full.
  std::uint32_t tiles_until_full;
  bool centres_stay;  ///< all centres are in shared memory at once
  bool sums_stay;     ///< and the block's sums
  bool squares;       ///< sum the squares too
  /// For each centre the sums of its points' numbers and their count; then for each dimension the sums of
  /// high * high, high * low and low * low.
  unsigned long long* totals;
};

/// How a block lays out its shared memory. `Groups` of 4 dimensions are a slab; `Points` and `Centres` are
/// those that a thread has in registers; a warp has 8 lanes for points by 4 for centres.
template <int Warps, int Groups, int Points, int Centres>
struct lloyd_layout {
  static constexpr unsigned threads = 32 * Warps;
  static constexpr unsigned slab = 4 * Groups;
  static constexpr unsigned tile = 8 * Warps * Points;  ///< points of a block
  static constexpr unsigned several = 4 * Centres; ///< centres of a pass
  // An odd number of 16-byte units: rows that 8 lanes read at once lie in different banks.
  static constexpr unsigned stride = 4 * (Groups | 1);

  std::uint32_t centre_rows;  ///< in shared memory
  std::uint64_t cells;        ///< of sums in shared memory
  std::uint64_t counts;       ///< and of points

  [[nodiscard]] static DUOMAP_HD constexpr std::uint32_t padded(std::uint32_t centres) {
    return (centres + several - 1) / several * several;
  }
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t bytes() const {
    return std::uint64_t{tile} * stride * 4 + std::uint64_t{centre_rows} * (stride + 1) * 4 + tile * 4 + cells * 8 + counts * 4;
  }
};

namespace impl {

/// A number on the grid as two: value = high * 2^low_bits + low, in units.
struct split_number {
  int high;
  int low;
};

/// Rounds to the grid, ties to even, by adding numbers so large that their last bit is a unit.
class grid_rounding {
 public:
  __device__ grid_rounding(float unit, std::uint32_t low_bits)
    : low_(12582912.f * unit), high_(12582912.f * (unit * static_cast<float>(1u << low_bits))) {}
  [[nodiscard]] __device__ split_number operator()(float value) const {
    const float high = value + high_;
    const float low = (value - (high - high_)) + low_;
    return {__float_as_int(high) - __float_as_int(high_), __float_as_int(low) - __float_as_int(low_)};
  }

 private:
  float low_;
  float high_;
};

}  // namespace impl

template <int Warps, int Groups, int Points, int Centres>
__global__ void __launch_bounds__(32 * Warps) lloyd_kernel(const lloyd_arguments a) {
  using layout = lloyd_layout<Warps, Groups, Points, Centres>;
  constexpr unsigned slab = layout::slab, tile = layout::tile, several = layout::several,
                     stride = layout::stride, threads = layout::threads, row_lanes = slab,
                     rows_at_once = threads / row_lanes;
  extern __shared__ float4 shared[];
  const std::uint32_t all_centres = layout::padded(a.centres);
  const std::uint32_t centre_rows = a.centres_stay ? all_centres : several;
  const std::uint64_t cells = a.sums_stay ? std::uint64_t{a.centres} * a.dimensions : 0;
  float* const point_rows = reinterpret_cast<float*>(shared);
  float* const centre_values = point_rows + tile * stride;
  float* const half_squares = centre_values + centre_rows * stride;
  auto* const nearest = reinterpret_cast<std::uint32_t*>(half_squares + centre_rows);
  int* const low_sums = reinterpret_cast<int*>(nearest + tile);
  int* const high_sums = low_sums + cells;
  unsigned* const counts = reinterpret_cast<unsigned*>(high_sums + cells);

  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned point_lane = lane % 8, centre_lane = lane / 8;
  const std::uint32_t slabs = (a.dimensions + slab - 1) / slab;
  const unsigned column = threadIdx.x % row_lanes, first_row = threadIdx.x / row_lanes;
  const unsigned totals_stride = a.dimensions + 1;

  const auto load_centres = [&](std::uint32_t first, std::uint32_t s) {
    for (std::uint32_t r = first_row; r < centre_rows; r += rows_at_once) {
      const std::uint32_t c = first + r, d = s * slab + column;
      centre_values[r * stride + column] =
          c < a.centres && d < a.dimensions ? a.negative_centres[std::uint64_t{c} * a.dimensions + d] : 0.f;
      if (column == 0 && s == 0) half_squares[r] = c < a.centres ? a.half_squares[c] : __int_as_float(0x7f800000);
    }
  };
  const auto load_points = [&](std::uint64_t first, unsigned valid, std::uint32_t s) {
    const std::uint32_t d = s * slab + column;
    if (a.dimensions % 4 == 0 && Groups > 1) {
      // Four lanes' numbers at once.
      constexpr unsigned quads = slab / 4;
      const unsigned quad = threadIdx.x % quads;
      const std::uint32_t at = s * slab + 4 * quad;
      float4 less{};
      if (at < a.dimensions) less = *reinterpret_cast<const float4*>(a.shift + at);
#pragma unroll 8
      for (unsigned r = threadIdx.x / quads; r < tile; r += threads / quads) {
        float4 x{};
        if (r < valid && at < a.dimensions) {
          x = *reinterpret_cast<const float4*>(a.points + (first + r) * a.dimensions + at);
          x.x -= less.x, x.y -= less.y, x.z -= less.z, x.w -= less.w;
        }
        *reinterpret_cast<float4*>(point_rows + r * stride + 4 * quad) = x;
      }
      return;
    }
    const float less = d < a.dimensions ? a.shift[d] : 0.f;
#pragma unroll 8
    for (unsigned r = first_row; r < tile; r += rows_at_once) {
      float x = 0;
      if (r < valid && d < a.dimensions) x = a.points[(first + r) * a.dimensions + d] - less;
      point_rows[r * stride + column] = x;
    }
  };
  const auto flush = [&] {
    for (std::uint64_t i = threadIdx.x; i < cells; i += threads) {
      const long long sum = (static_cast<long long>(high_sums[i]) << a.low_bits) + low_sums[i];
      high_sums[i] = low_sums[i] = 0;
      if (sum != 0)
        atomicAdd(a.totals + i / a.dimensions * totals_stride + i % a.dimensions,
                  static_cast<unsigned long long>(sum));
    }
    for (std::uint32_t c = threadIdx.x; c < a.centres && a.sums_stay; c += threads) {
      if (counts[c] > 0)
        atomicAdd(a.totals + std::uint64_t{c} * totals_stride + a.dimensions, static_cast<unsigned long long>(counts[c]));
      counts[c] = 0;
    }
  };

  for (std::uint64_t i = threadIdx.x; i < cells; i += threads) high_sums[i] = low_sums[i] = 0;
  for (std::uint32_t c = threadIdx.x; c < a.centres && a.sums_stay; c += threads) counts[c] = 0;
  if (a.centres_stay) load_centres(0, 0);

  std::uint32_t tiles_done = 0;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * tile; first < a.count;
       first += std::uint64_t{gridDim.x} * tile) {
    const unsigned valid = a.count - first < tile ? static_cast<unsigned>(a.count - first) : tile;
    __syncthreads();  // the last tile has been read
    if (slabs == 1) load_points(first, valid, 0);

    float smallest[Points];
    std::uint32_t index[Points];
#pragma unroll
    for (int p = 0; p < Points; ++p) {
      smallest[p] = __int_as_float(0x7f800000);
      index[p] = 0;
    }
    for (std::uint32_t pass = 0; pass < all_centres; pass += several) {
      float score[Centres][Points];
      for (std::uint32_t s = 0; s < slabs; ++s) {
        if (!a.centres_stay) {
          __syncthreads();
          if (slabs > 1) load_points(first, valid, s);
          load_centres(pass, s);
        }
        if (!a.centres_stay || pass == 0) __syncthreads();
        const float* const some_centres = centre_values + (a.centres_stay ? pass * stride : 0);
        if (s == 0) {
          const float* const some_halves = half_squares + (a.centres_stay ? pass : 0);
#pragma unroll
          for (int c = 0; c < Centres; ++c) {
#pragma unroll
            for (int p = 0; p < Points; ++p) score[c][p] = some_halves[4 * c + centre_lane];
          }
        }
        const std::uint32_t left = a.dimensions - s * slab;
        const std::uint32_t groups = left < slab ? (left + 3) / 4 : Groups;
        const float* const x_at = point_rows + (warp * 8 * Points + point_lane) * stride;
        const float* const c_at = some_centres + centre_lane * stride;
#pragma unroll 1
        for (std::uint32_t g = 0; g < groups; ++g) {
          float4 x[Points];
#pragma unroll
          for (int p = 0; p < Points; ++p)
            x[p] = *reinterpret_cast<const float4*>(x_at + p * 8 * stride + 4 * g);
#pragma unroll
          for (int c = 0; c < Centres; ++c) {
            const float4 by = *reinterpret_cast<const float4*>(c_at + c * 4 * stride + 4 * g);
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
            index[p] = pass + 4 * c + centre_lane;
          }
        }
      }
    }
    // The four lanes that share points; of equally near centres the first.
#pragma unroll
    for (int p = 0; p < Points; ++p) {
#pragma unroll
      for (unsigned step = 8; step < 32; step *= 2) {
        const float other = __shfl_xor_sync(~0u, smallest[p], step);
        const std::uint32_t other_index = __shfl_xor_sync(~0u, index[p], step);
        if (other < smallest[p] || (other == smallest[p] && other_index < index[p])) {
          smallest[p] = other;
          index[p] = other_index;
        }
      }
      if (centre_lane == 0) nearest[warp * 8 * Points + p * 8 + point_lane] = index[p];
    }
    __syncthreads();

    for (unsigned p = threadIdx.x; p < valid; p += threads) {
      if (a.sums_stay) {
        atomicAdd(counts + nearest[p], 1u);
      } else {
        atomicAdd(a.totals + std::uint64_t{nearest[p]} * totals_stride + a.dimensions, 1ull);
      }
    }
    for (std::uint32_t s = 0; s < slabs; ++s) {
      if (slabs > 1) {
        __syncthreads();
        load_points(first, valid, s);
        __syncthreads();
      }
      const std::uint32_t d = s * slab + column;
      if (d >= a.dimensions) continue;
      const impl::grid_rounding round(a.units[d], a.low_bits);
      if (a.sums_stay) {
#pragma unroll 8
        for (unsigned p = first_row; p < tile; p += rows_at_once) {
          if (p >= valid) break;
          const impl::split_number number = round(point_rows[p * stride + column]);
          const unsigned cell = nearest[p] * a.dimensions + d;
          atomicAdd(high_sums + cell, number.high);
          atomicAdd(low_sums + cell, number.low);
        }
      } else {
        for (unsigned p = first_row; p < valid; p += rows_at_once) {
          const impl::split_number number = round(point_rows[p * stride + column]);
          const long long whole = (static_cast<long long>(number.high) << a.low_bits) + number.low;
          atomicAdd(a.totals + std::uint64_t{nearest[p]} * totals_stride + d,
                    static_cast<unsigned long long>(whole));
        }
      }
      if (a.squares) {
        long long high = 0, mixed = 0, low = 0;
        for (unsigned p = first_row; p < valid; p += rows_at_once) {
          const impl::split_number number = round(point_rows[p * stride + column]);
          high += static_cast<long long>(number.high) * number.high;
          mixed += static_cast<long long>(number.high) * number.low;
          low += static_cast<long long>(number.low) * number.low;
        }
        unsigned long long* const squares = a.totals + std::uint64_t{a.centres} * totals_stride + 3 * d;
        atomicAdd(squares, static_cast<unsigned long long>(high));
        atomicAdd(squares + 1, static_cast<unsigned long long>(mixed));
        atomicAdd(squares + 2, static_cast<unsigned long long>(low));
      }
    }
    if (++tiles_done == a.tiles_until_full) {
      tiles_done = 0;
      __syncthreads();
      flush();
    }
  }
  __syncthreads();
  flush();
}

}  // namespace duomap::gpu
