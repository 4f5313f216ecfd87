// Finds the smallest distance in each group of rows by products on tensor cores (nearest_arguments.cuh).
#pragma once

#include "gpu/runtime/warp.cuh"
#include "numeric/knn/nearest_arguments.cuh"
#include "numeric/knn/nearest_minima.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Columns in shared memory at a time. Queries are padded with zeros to a multiple of this.
inline constexpr std::uint32_t product_slab = 16;

[[nodiscard]] DUOMAP_HD constexpr std::uint32_t padded_columns(std::uint32_t columns) {
  return (columns + product_slab - 1) / product_slab * product_slab;
}

/// Queries in the form that minima_of_products() reads: their rounded differences to the centre, in device
/// memory.
struct product_queries {
  float* centre = nullptr;   ///< padded_columns() numbers
  float* rounded = nullptr;  ///< padded_columns() for each query; zeros up to a whole tile
  float* squares = nullptr;  ///< the squared norm of each query
};

namespace detail {

inline constexpr std::uint32_t centre_columns = 32;

/// Rounds to the 11 significant bits that tensor cores read.
[[nodiscard]] __device__ inline float rounded(float value) {
#if __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
#else
  return value;
#endif
}

/// sums += a b: 16 rows, 8 columns and 8 queries, in PTX's order over the lanes of a warp.
__device__ inline void add_product(float (&sums)[4], float a0, float a1, float a2, float a3, float b0,
                                   float b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)),
        "r"(__float_as_uint(a3)), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
#endif
}

}  // namespace detail

/// Computes the mean of all queries; one block for each centre_columns columns.
__global__ void __launch_bounds__(nearest_threads)
    centre_of_queries(const __grid_constant__ nearest_arguments with, const product_queries into) {
  constexpr std::uint32_t strips = nearest_threads / detail::centre_columns;
  __shared__ float sums[strips][detail::centre_columns];
  const std::uint32_t lane = threadIdx.x % detail::centre_columns;
  const std::uint32_t strip = threadIdx.x / detail::centre_columns;
  const std::uint32_t column = blockIdx.x * detail::centre_columns + lane;
  float sum = 0;
  for (std::uint32_t q = strip; column < with.columns && q < with.query_count; q += strips)
    sum += with.queries[std::uint64_t{q} * with.columns + column];
  sums[strip][lane] = sum;
  __syncthreads();
  if (strip != 0 || column >= padded_columns(with.columns)) return;
  for (std::uint32_t s = 1; s < strips; ++s) sum += sums[s][lane];
  into.centre[column] = sum / static_cast<float>(with.query_count);
}

/// Rounds the queries; one warp for each query.
__global__ void __launch_bounds__(nearest_threads)
    round_queries(const __grid_constant__ nearest_arguments with, const product_queries into) {
  const std::uint32_t query = (blockIdx.x * nearest_threads + threadIdx.x) / 32;
  const std::uint32_t padded = padded_columns(with.columns);
  float square = 0;
  for (std::uint32_t c = lane_index(); c < padded; c += 32) {
    float value = 0;
    if (c < with.columns && query < with.query_count)
      value = detail::rounded(with.queries[std::uint64_t{query} * with.columns + c] - into.centre[c]);
    into.rounded[std::uint64_t{query} * padded + c] = value;
    square = fmaf(value, value, square);
  }
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) square += __shfl_xor_sync(all_lanes, square, step);
  if (lane_index() == 0) into.squares[query] = square;
}

/// Finds the same minima as minima_of_wide(), with the same tiles and groups, but from products
/// (product_bound). `Aligned`: the number of columns is a multiple of four.
///
/// A warp has 64 rows and 32 queries of a tile. The rows of a thread are a unit: row r of the 64 is at place
/// r % 8 * 8 + r / 8.
template <bool Aligned>
__global__ void __launch_bounds__(nearest_threads, 2)
    minima_of_products(const __grid_constant__ nearest_arguments with, const product_queries queries) {
  constexpr std::uint32_t tile_rows = tile_groups * many_unit_rows<0>;
  constexpr std::uint32_t quads = product_slab / 4;
  constexpr std::uint32_t rows_at_once = nearest_threads / quads;
  constexpr std::uint32_t loads = tile_rows / rows_at_once;
  static_assert(tile_rows == 128 && tile_queries == 128 && many_unit_rows<0> == 8);
  __shared__ float4 row_slabs[2][tile_rows * quads];
  __shared__ float4 query_slabs[2][tile_queries * quads];
  __shared__ float squares[tile_rows];
  const std::uint32_t lane_row = lane_index() / 4;
  const std::uint32_t lane_quad = lane_index() % 4;
  const std::uint32_t warp_row = threadIdx.x / 128 * 64;
  const std::uint32_t warp_query = threadIdx.x / 32 % 4 * 32;
  const std::uint32_t my_row = threadIdx.x / quads;
  const std::uint32_t my_quad = threadIdx.x % quads;
  const std::uint32_t first_query = blockIdx.y * tile_queries;
  const std::uint32_t padded = padded_columns(with.columns);
  float smallest[8];
#pragma unroll
  for (float& one : smallest) one = detail::no_distance;

  const std::uint64_t tiles = (with.row_count + tile_rows - 1) / tile_rows;
  for (std::uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::uint64_t first = t * tile_rows;
    float sums[4][4][4] = {};
    float square[loads] = {};
    float4 next_row[loads];
    float4 next_query[loads];
    const auto fetch = [&](std::uint32_t from) {
      const std::uint32_t column = from + 4 * my_quad;
#pragma unroll
      for (std::uint32_t i = 0; i < loads; ++i) {
        const std::uint64_t row = first + my_row + i * rows_at_once;
        const float* const values = with.rows + row * with.columns + column;
        const bool is_there = row < with.row_count;
        next_row[i] = {};
        if constexpr (Aligned) {
          if (is_there && column < with.columns) next_row[i] = *reinterpret_cast<const float4*>(values);
        } else {
          if (is_there && column < with.columns) next_row[i].x = values[0];
          if (is_there && column + 1 < with.columns) next_row[i].y = values[1];
          if (is_there && column + 2 < with.columns) next_row[i].z = values[2];
          if (is_there && column + 3 < with.columns) next_row[i].w = values[3];
        }
        next_query[i] = *reinterpret_cast<const float4*>(
            queries.rounded + std::uint64_t{first_query + my_row + i * rows_at_once} * padded + column);
      }
    };
    const auto put = [&](unsigned stage, std::uint32_t from) {
      const float4 centre = *reinterpret_cast<const float4*>(queries.centre + from + 4 * my_quad);
#pragma unroll
      for (std::uint32_t i = 0; i < loads; ++i) {
        const std::uint32_t row = my_row + i * rows_at_once;
        const std::uint32_t place = row / 64 * 64 + row % 8 * 8 + row % 64 / 8;
        float4 one = next_row[i];
        one.x = detail::rounded(one.x - centre.x);
        one.y = detail::rounded(one.y - centre.y);
        one.z = detail::rounded(one.z - centre.z);
        one.w = detail::rounded(one.w - centre.w);
        square[i] = fmaf(one.x, one.x, fmaf(one.y, one.y, fmaf(one.z, one.z, fmaf(one.w, one.w, square[i]))));
        row_slabs[stage][place * quads + my_quad] = one;
        query_slabs[stage][row * quads + my_quad] = next_query[i];
      }
    };
    // Rows and queries may take the columns in any order that is the same for both, so each lane reads four
    // neighbouring columns.
    const auto multiply = [&](unsigned stage) {
      float4 query[4];
#pragma unroll
      for (unsigned q = 0; q < 4; ++q)
        query[q] = query_slabs[stage][(warp_query + q * 8 + lane_row) * quads + lane_quad];
#pragma unroll
      for (unsigned r = 0; r < 4; ++r) {
        const float4 low = row_slabs[stage][(warp_row + r * 16 + lane_row) * quads + lane_quad];
        const float4 high = row_slabs[stage][(warp_row + r * 16 + 8 + lane_row) * quads + lane_quad];
#pragma unroll
        for (unsigned q = 0; q < 4; ++q) {
          detail::add_product(sums[r][q], low.x, high.x, low.y, high.y, query[q].x, query[q].y);
          detail::add_product(sums[r][q], low.z, high.z, low.w, high.w, query[q].z, query[q].w);
        }
      }
    };
    fetch(0);
    put(0, 0);
    __syncthreads();
    unsigned stage = 0;
    for (std::uint32_t from = product_slab; from < padded; from += product_slab) {
      fetch(from);
      multiply(stage);
      stage ^= 1;
      put(stage, from);
      __syncthreads();
    }
    multiply(stage);
#pragma unroll
    for (std::uint32_t i = 0; i < loads; ++i) {
      square[i] += __shfl_xor_sync(all_lanes, square[i], 1);
      square[i] += __shfl_xor_sync(all_lanes, square[i], 2);
      if (my_quad == 0) squares[my_row + i * rows_at_once] = square[i];
    }
    __syncthreads();
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
      const std::uint32_t row = warp_row + lane_row * 8 + r;
      if (first + row >= with.row_count) break;
#pragma unroll
      for (unsigned q = 0; q < 8; ++q)
        smallest[q] = fminf(smallest[q], fmaf(-2, sums[r / 2][q / 2][r % 2 * 2 + q % 2], squares[row]));
    }
  }
#pragma unroll
  for (unsigned q = 0; q < 8; ++q) {
    const std::uint32_t at = first_query + warp_query + q / 2 * 8 + lane_quad * 2 + q % 2;
    if (at < with.query_count) {
      with.minima[std::uint64_t{at} * with.groups + blockIdx.x * tile_groups +
                  (warp_row + lane_row * 8) / 8] = fmaxf(smallest[q] + queries.squares[at], 0);
    }
  }
}

}  // namespace duomap::gpu
