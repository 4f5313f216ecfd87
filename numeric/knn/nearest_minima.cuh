// Finds the smallest distance in each group of rows by kernels (nearest_arguments.cuh).
#pragma once

#include "gpu/runtime/warp.cuh"
#include "numeric/knn/nearest_arguments.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Rows of a unit of minima_of_few() and minima_of_few_wide().
inline constexpr std::uint32_t few_unit_rows = 4;

/// The kernel for several queries and few columns: each thread reads its own rows, which are a group, and
/// keeps the minima of `Several` queries (blockIdx.y is the pass). The groups of a warp are a bundle. A pass
/// over 16,777,216 x 3 floats in an H200's memory takes 0.051 to 0.055 ms for one to eight queries; reading
/// alone takes nearly as long.
template <std::uint32_t Columns, std::uint32_t Several>
__global__ void __launch_bounds__(nearest_threads)
    minima_of_few(const __grid_constant__ nearest_arguments with) {
  const std::uint32_t threads = gridDim.x * nearest_threads;  // one group for each thread
  const std::uint32_t group = blockIdx.x * nearest_threads + threadIdx.x;
  const std::uint32_t first_query = blockIdx.y * Several;
  float query[Several][Columns];
  float smallest[Several];
#pragma unroll
  for (std::uint32_t q = 0; q < Several; ++q) {
    smallest[q] = detail::no_distance;
    const std::uint32_t at = min(first_query + q, with.query_count - 1);
#pragma unroll
    for (std::uint32_t c = 0; c < Columns; ++c) query[q][c] = with.queries[at * Columns + c];
  }
  const auto see = [&](const float(&row)[Columns]) {
#pragma unroll
    for (std::uint32_t q = 0; q < Several; ++q)
      smallest[q] = fminf(smallest[q], detail::near_sum(row, query[q]));
  };
  const auto see_unit = [&](const float4(&words)[Columns]) {
    float values[few_unit_rows * Columns];
#pragma unroll
    for (std::uint32_t c = 0; c < Columns; ++c) {
      values[4 * c] = words[c].x;
      values[4 * c + 1] = words[c].y;
      values[4 * c + 2] = words[c].z;
      values[4 * c + 3] = words[c].w;
    }
#pragma unroll
    for (std::uint32_t r = 0; r < few_unit_rows; ++r) {
      float row[Columns];
#pragma unroll
      for (std::uint32_t c = 0; c < Columns; ++c) row[c] = values[r * Columns + c];
      see(row);
    }
  };
  const auto* const words = reinterpret_cast<const float4*>(with.rows);
  const std::uint64_t units = with.row_count / few_unit_rows;
  std::uint64_t unit = group;
  for (; unit < units; unit += threads) {
    float4 next[Columns];
#pragma unroll
    for (std::uint32_t c = 0; c < Columns; ++c) next[c] = __ldcs(words + unit * Columns + c);
    see_unit(next);
  }
  if (unit == units) {  // the last unit is not whole, or empty
    for (std::uint64_t at = units * few_unit_rows; at < with.row_count; ++at) {
      float row[Columns];
#pragma unroll
      for (std::uint32_t c = 0; c < Columns; ++c) row[c] = with.rows[at * Columns + c];
      see(row);
    }
  }
#pragma unroll
  for (std::uint32_t q = 0; q < Several; ++q) {
    if (first_query + q >= with.query_count) break;
    with.minima[std::uint64_t{first_query + q} * with.groups + group] = smallest[q];
    float all = smallest[q];
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) all = fminf(all, __shfl_xor_sync(all_lanes, all, step));
    if (lane_index() == 0)
      with.coarse[std::uint64_t{first_query + q} * with.coarse_groups + group / 32] = all;
  }
}

namespace detail {

/// Each lane has `Count` values, a power of two up to 32. Returns the sum over all lanes of value lane / (32
/// / Count). Each step halves the number of values, which needs fewer shuffles than one sum after another.
template <unsigned Count, unsigned Step = 16>
__device__ float sum_of_mine(const float (&values)[Count]) {
  if constexpr (Count > 1) {
    const bool is_upper = (lane_index() & Step) != 0;
    float halves[Count / 2];
#pragma unroll
    for (unsigned i = 0; i < Count / 2; ++i) {
      const float sent = is_upper ? values[i] : values[i + Count / 2];
      const float kept = is_upper ? values[i + Count / 2] : values[i];
      halves[i] = kept + __shfl_xor_sync(all_lanes, sent, Step);
    }
    return sum_of_mine<Count / 2, Step / 2>(halves);
  } else {
    float sum = values[0];
#pragma unroll
    for (unsigned step = Step; step > 0; step /= 2) sum += __shfl_xor_sync(all_lanes, sum, step);
    return sum;
  }
}

}  // namespace detail

/// The kernel for several queries and any number of columns: a warp, whose rows are a group, reads units
/// together, each lane every 32nd column.
template <std::uint32_t Several>
__global__ void __launch_bounds__(nearest_threads)
    minima_of_few_wide(const __grid_constant__ nearest_arguments with) {
  constexpr std::uint32_t lanes_of_query = 32 / Several;
  const std::uint32_t group = (blockIdx.x * nearest_threads + threadIdx.x) / 32;
  const std::uint32_t first_query = blockIdx.y * Several;
  float smallest = detail::no_distance;  // the minimum of this lane's query
  for (std::uint64_t unit = group; unit * few_unit_rows < with.row_count; unit += with.groups) {
    float sums[Several * few_unit_rows] = {};
    for (std::uint32_t c = lane_index(); c < with.columns; c += 32) {
      float row[few_unit_rows];
#pragma unroll
      for (std::uint32_t r = 0; r < few_unit_rows; ++r) {
        // The last unit may repeat the last row.
        const std::uint64_t at = min(unit * few_unit_rows + r, with.row_count - 1);
        row[r] = __ldcs(with.rows + at * with.columns + c);
      }
#pragma unroll
      for (std::uint32_t q = 0; q < Several; ++q) {
        const std::uint64_t at = min(first_query + q, with.query_count - 1);
        const float query = with.queries[at * with.columns + c];
#pragma unroll
        for (std::uint32_t r = 0; r < few_unit_rows; ++r) {
          const float difference = row[r] - query;
          float& sum = sums[q * few_unit_rows + r];
          sum = fmaf(difference, difference, sum);
        }
      }
    }
    smallest = fminf(smallest, detail::sum_of_mine(sums));
  }
#pragma unroll
  for (unsigned step = 1; step < lanes_of_query; step *= 2)
    smallest = fminf(smallest, __shfl_xor_sync(all_lanes, smallest, step));
  const std::uint32_t query = first_query + lane_index() / lanes_of_query;
  if (lane_index() % lanes_of_query == 0 && query < with.query_count)
    with.minima[std::uint64_t{query} * with.groups + group] = smallest;
}

/// Queries of a block, and groups, of minima_of_many() and minima_of_wide().
inline constexpr std::uint32_t tile_queries = 128;
inline constexpr std::uint32_t tile_groups = 16;

/// Rows of a unit of minima_of_many().
template <std::uint32_t Columns>
inline constexpr std::uint32_t many_unit_rows = Columns > 0 ? 32 : 8;

/// The kernel for many queries and few columns: each thread has eight queries in registers. A tile of rows
/// lies in shared memory, and each thread reads a sixteenth of it. blockIdx.y is the tile of queries.
template <std::uint32_t Columns>
__global__ void __launch_bounds__(nearest_threads)
    minima_of_many(const __grid_constant__ nearest_arguments with) {
  constexpr std::uint32_t unit_rows = many_unit_rows<Columns>;
  constexpr std::uint32_t tile_rows = tile_groups * unit_rows;
  constexpr std::uint32_t several = tile_queries / 16;
  __shared__ float4 tile[tile_rows];  // the first rows of all units, then their second rows, and so on
  const std::uint32_t query_lane = threadIdx.x % 16;
  const std::uint32_t unit = threadIdx.x / 16;
  float query[several][Columns];
  float smallest[several];
#pragma unroll
  for (std::uint32_t q = 0; q < several; ++q) {
    smallest[q] = detail::no_distance;
    const std::uint32_t at = min(blockIdx.y * tile_queries + q * 16 + query_lane, with.query_count - 1);
#pragma unroll
    for (std::uint32_t c = 0; c < Columns; ++c) query[q][c] = with.queries[at * Columns + c];
  }
  const std::uint64_t tiles = (with.row_count + tile_rows - 1) / tile_rows;
  for (std::uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    __syncthreads();
    const std::uint64_t first = t * tile_rows;
#pragma unroll
    for (std::uint32_t i = 0; i < tile_rows * Columns / nearest_threads; ++i) {
      const std::uint32_t at = i * nearest_threads + threadIdx.x;
      const std::uint32_t row = at / Columns;
      const bool is_there = first + row < with.row_count;
      const float value = is_there ? with.rows[first * Columns + at] : detail::no_distance;
      reinterpret_cast<float*>(tile + (row % unit_rows) * tile_groups + row / unit_rows)[at % Columns] =
          value;
    }
    __syncthreads();
#pragma unroll 4
    for (std::uint32_t r = 0; r < unit_rows; ++r) {
      const float4 read = tile[r * tile_groups + unit];
      const float all[4] = {read.x, read.y, read.z, read.w};
      float row[Columns];
#pragma unroll
      for (std::uint32_t c = 0; c < Columns; ++c) row[c] = all[c];
#pragma unroll
      for (std::uint32_t q = 0; q < several; ++q)
        smallest[q] = fminf(smallest[q], detail::near_sum(row, query[q]));
    }
  }
#pragma unroll
  for (std::uint32_t q = 0; q < several; ++q) {
    const std::uint32_t at = blockIdx.y * tile_queries + q * 16 + query_lane;
    if (at < with.query_count)
      with.minima[std::uint64_t{at} * with.groups + blockIdx.x * tile_groups + unit] = smallest[q];
  }
}

/// The kernel for many queries and any number of columns: a tile of 128 rows and 128 queries, with 16 columns
/// at a time in shared memory and 64 sums of each thread in registers, as in a matrix product.
__global__ void __launch_bounds__(nearest_threads, 2)
    minima_of_wide(const __grid_constant__ nearest_arguments with) {
  constexpr std::uint32_t unit_rows = many_unit_rows<0>;
  constexpr std::uint32_t tile_rows = tile_groups * unit_rows;
  constexpr std::uint32_t slab = 16;  // columns at a time
  constexpr std::uint32_t loads = tile_rows * slab / nearest_threads;
  static_assert(tile_rows == tile_queries);
  __shared__ alignas(16) float row_slab[slab][tile_rows + 4];
  __shared__ alignas(16) float query_slab[slab][tile_queries + 4];
  const std::uint32_t query_lane = threadIdx.x % 16;
  const std::uint32_t unit = threadIdx.x / 16;
  const std::uint32_t first_query = blockIdx.y * tile_queries;
  float smallest[8];
#pragma unroll
  for (float& one : smallest) one = detail::no_distance;

  if (detail::has_products(with, blockIdx.y)) return;
  const std::uint64_t tiles = (with.row_count + tile_rows - 1) / tile_rows;
  for (std::uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::uint64_t first = t * tile_rows;
    float sums[8][8] = {};
    float next_row[loads];
    float next_query[loads];
    const std::uint32_t my_column = threadIdx.x % slab;
    const auto fetch = [&](std::uint32_t from) {
#pragma unroll
      for (std::uint32_t i = 0; i < loads; ++i) {
        const std::uint32_t at = i * (nearest_threads / slab) + threadIdx.x / slab;
        const bool has_column = from + my_column < with.columns;
        next_row[i] = has_column && first + at < with.row_count
                          ? with.rows[(first + at) * with.columns + from + my_column]
                          : 0;
        next_query[i] = has_column && first_query + at < with.query_count
                            ? with.queries[std::uint64_t{first_query + at} * with.columns + from + my_column]
                            : 0;
      }
    };
    fetch(0);
    for (std::uint32_t from = 0; from < with.columns; from += slab) {
      __syncthreads();
#pragma unroll
      for (std::uint32_t i = 0; i < loads; ++i) {
        const std::uint32_t at = i * (nearest_threads / slab) + threadIdx.x / slab;
        row_slab[my_column][at] = next_row[i];
        query_slab[my_column][at] = next_query[i];
      }
      __syncthreads();
      if (from + slab < with.columns) fetch(from + slab);
#pragma unroll
      for (std::uint32_t c = 0; c < slab; ++c) {
        float row[8];
        float query[8];
        const auto read = [](float(&into)[8], const float* low, const float* high) {
          const float4 a = *reinterpret_cast<const float4*>(low);
          const float4 b = *reinterpret_cast<const float4*>(high);
          into[0] = a.x, into[1] = a.y, into[2] = a.z, into[3] = a.w;
          into[4] = b.x, into[5] = b.y, into[6] = b.z, into[7] = b.w;
        };
        read(row, &row_slab[c][unit * 8], &row_slab[c][unit * 8 + 4]);
        read(query, &query_slab[c][query_lane * 4], &query_slab[c][64 + query_lane * 4]);
#pragma unroll
        for (unsigned r = 0; r < 8; ++r) {
#pragma unroll
          for (unsigned q = 0; q < 8; ++q) {
            const float difference = row[r] - query[q];
            sums[r][q] = fmaf(difference, difference, sums[r][q]);
          }
        }
      }
    }
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
      if (first + unit * 8 + r < with.row_count) {
#pragma unroll
        for (unsigned q = 0; q < 8; ++q) smallest[q] = fminf(smallest[q], sums[r][q]);
      }
    }
  }
#pragma unroll
  for (unsigned q = 0; q < 8; ++q) {
    const std::uint32_t at = first_query + (q / 4) * 64 + query_lane * 4 + q % 4;
    if (at < with.query_count)
      with.minima[std::uint64_t{at} * with.groups + blockIdx.x * tile_groups + unit] = smallest[q];
  }
}

}  // namespace duomap::gpu
