// Kernels that add up rows, and products of their columns, about an origin.
#pragma once

#include "apps/pca/moment_cells.hpp"
#include "apps/pca/moment_plan.hpp"

#include <cstdint>

namespace duomap::gpu {

/// What a launch of add_moments() works on, in device memory.
template <class T, class Sum>
struct moment_arguments {
  const T* data;        ///< rows of plan.columns numbers without gaps
  std::uint64_t rows;
  const T* origin;      ///< plan.columns numbers
  Sum* partial;         ///< pairs * slices * (edge + 1) * plan.line
  moment_plan plan;
  bool aligned;         ///< 16-byte loads may be used: every row begins at a multiple of 16 bytes
};

namespace impl {

/// The place of a pair of column blocks in the triangle of all pairs, and its tiles.
template <class T>
struct moment_pair {
  unsigned i = 0;
  unsigned j = 0;
  unsigned tiles_i;
  unsigned tiles_j;
  unsigned tiles;

  __device__ moment_pair(const moment_plan& plan, unsigned number) {
    unsigned before = 0;
    while (before + j + 1 <= number) before += ++j;
    i = number - before;
    constexpr unsigned edge = moment_tile<T>::edge;
    const unsigned all = (plan.columns + edge - 1) / edge;
    tiles_i = plan.block_tiles;
    tiles_j = min(plan.block_tiles, all - j * plan.block_tiles);
    if (i == j) tiles_i = tiles_j;
    tiles = tiles_of_pair(tiles_i, tiles_j, i == j);
  }
  [[nodiscard]] __device__ bool same() const { return i == j; }
  /// The place of a tile: its row and column of tiles.
  __device__ void find(unsigned tile, unsigned& ti, unsigned& tj) const {
    if (!same()) {
      ti = tile / tiles_j;
      tj = tile % tiles_j;
      return;
    }
    tj = 0;
    unsigned before = 0;
    while (before + tj + 1 <= tile) before += ++tj;
    ti = tile - before;
  }
};

}  // namespace impl

/// The sums of a chunk: each block of threads leaves those of its rows and its pair of column blocks in
/// `partial`, a line of all tiles after the other; behind the edge lines of products one with the sums of the
/// columns.
///
/// What a cell of a run is, is fixed: the products of its rows, from first to last, each added by one fused
/// multiplication and addition. So the CPU can do the same, and does for deterministic results.
template <class T, class Sum>
__global__ void __launch_bounds__(moment_tile<T>::threads, moment_tile<T>::at_once) add_moments(const moment_arguments<T, Sum> with) {
  using size = moment_tile<T>;
  constexpr unsigned edge = size::edge, vector = size::vector, loads = size::loads, threads = size::threads;
  struct alignas(16) vector_type {
    T at[vector];
  };
  __shared__ vector_type shared[2][size::shared_numbers / vector];
  __shared__ vector_type origins[2 * size::most_tiles * edge / vector];

  const moment_plan& plan = with.plan;
  const impl::moment_pair<T> pair(plan, blockIdx.y);
  const unsigned width_i = pair.same() ? 0 : pair.tiles_i * edge;
  const unsigned width = width_i + pair.tiles_j * edge;
  const unsigned pitch = plan.step * width + vector;
  const unsigned first_i = pair.i * plan.block_tiles * edge, first_j = pair.j * plan.block_tiles * edge;
  const auto column_of = [&](unsigned place) {
    return place < width_i ? first_i + place : first_j + place - width_i;
  };
  for (unsigned c = threadIdx.x; c < width; c += threads) {
    const unsigned column = column_of(c);
    origins[c / vector].at[c % vector] = column < plan.columns ? with.origin[column] : T{0};
  }

  // What this thread loads in each step.
  std::uint32_t row_of[loads], offset[loads];
  std::uint16_t place[loads], origin_place[loads];
  const unsigned vectors = width / vector;
#pragma unroll
  for (unsigned l = 0; l < loads; ++l) {
    const unsigned e = threadIdx.x + l * threads;
    const unsigned row = e / vectors, c = e % vectors * vector;
    const unsigned phase = row / plan.step;
    const bool used = phase < plan.phases;
    row_of[l] = used ? phase * plan.run + row % plan.step : 0xFFFFFFFFu;
    offset[l] = row_of[l] * plan.columns + column_of(c);
    place[l] = static_cast<std::uint16_t>((phase * pitch + row % plan.step * width + c) / vector);
    origin_place[l] = static_cast<std::uint16_t>(c);
  }

  // The tile of this thread.
  const unsigned phase = threadIdx.x / pair.tiles;
  const bool at_work = phase < plan.phases;
  unsigned ti, tj;
  pair.find(threadIdx.x % pair.tiles, ti, tj);
  const unsigned at_i = ti * edge / vector, at_j = (width_i + tj * edge) / vector;

  vector_type on_its_way[loads];
  unsigned there = 0;  // a bit for each load that is not of a row beyond the end
  const auto fetch = [&](std::uint64_t first_row, const T* from, unsigned step) {
    there = 0;
    const std::uint64_t left = with.rows - first_row;
    const unsigned steps_offset = step * plan.step * plan.columns;
#pragma unroll
    for (unsigned l = 0; l < loads; ++l) {
      if (row_of[l] == 0xFFFFFFFFu || row_of[l] + step * plan.step >= left) continue;
      there |= 1u << l;
      const T* const at = from + offset[l] + steps_offset;
      const unsigned column = column_of(origin_place[l]);
      if (with.aligned) {
        if (column < plan.columns) {
          on_its_way[l] = *reinterpret_cast<const vector_type*>(at);
        } else {
          there &= ~(1u << l);
        }
      } else {
#pragma unroll
        for (unsigned v = 0; v < vector; ++v)
          on_its_way[l].at[v] = column + v < plan.columns ? at[v] : T{0};
      }
    }
  };
  const auto store = [&](unsigned stage) {
#pragma unroll
    for (unsigned l = 0; l < loads; ++l) {
      if (row_of[l] == 0xFFFFFFFFu) continue;
      vector_type centred{};
      if ((there >> l & 1) != 0) {
        const vector_type origin = origins[origin_place[l] / vector];
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) centred.at[v] = on_its_way[l].at[v] - origin.at[v];
      }
      shared[stage][place[l]] = centred;
    }
  };

  // Products, and behind them the sums of the tile's columns.
  T sums[edge + 1][edge];
  const auto add_step = [&](unsigned stage) {
    const vector_type* line = shared[stage] + phase * pitch / vector;
#pragma unroll 2
    for (unsigned r = 0; r < plan.step; ++r, line += width / vector) {
      vector_type a[edge / vector], b[edge / vector];
#pragma unroll
      for (unsigned v = 0; v < edge / vector; ++v) {
        a[v] = line[at_i + v];
        b[v] = line[at_j + v];
      }
#pragma unroll
      for (unsigned y = 0; y < edge; ++y) {
#pragma unroll
        for (unsigned x = 0; x < edge; ++x)
          sums[x][y] = fma(a[x / vector].at[x % vector], b[y / vector].at[y % vector], sums[x][y]);
        sums[edge][y] += b[y / vector].at[y % vector];
      }
    }
  };

  // The sums of all phases go to the block's place in device memory, through shared memory line by line.
  const unsigned cells = pair.tiles * edge;
  const unsigned copies = copies_of_sums(pair.tiles, edge, threads);
  Sum* const partial =
      with.partial + (std::uint64_t{blockIdx.y} * plan.slices + blockIdx.x) * (edge + 1) * plan.line;
  T* const exchange = reinterpret_cast<T*>(shared);
  const auto flush = [&](std::uint64_t first_row, bool first) {
    const auto phases = static_cast<unsigned>(
        min(std::uint64_t{plan.phases}, (with.rows - first_row + plan.run - 1) / plan.run));
#pragma unroll
    for (unsigned k = 0; k <= edge; ++k) {
      __syncthreads();
      if (at_work) {
#pragma unroll
        for (unsigned y = 0; y < edge; ++y) exchange[threadIdx.x * edge + y] = sums[k][y];
      }
      __syncthreads();
      for (unsigned item = threadIdx.x; item < cells * copies; item += threads) {
        const unsigned cell = item % cells;
        Sum& to = partial[k * plan.line + item];
        Sum sum = first ? Sum{} : to;
        for (unsigned p = item / cells; p < phases; p += copies)
          sum = sum + Sum(static_cast<double>(exchange[p * cells + cell]));
        to = sum;
      }
    }
    __syncthreads();
  };

  const unsigned steps = plan.run / plan.step;
  bool first = true;
  for (std::uint64_t first_row = blockIdx.x * plan.unit_rows(); first_row < with.rows || first;
       first_row += plan.slices * plan.unit_rows()) {
#pragma unroll
    for (unsigned x = 0; x <= edge; ++x) {
#pragma unroll
      for (unsigned y = 0; y < edge; ++y) sums[x][y] = 0;
    }
    if (first_row >= with.rows) {  // a block without rows leaves zeros
      flush(with.rows, true);
      return;
    }
    const T* const from = with.data + first_row * plan.columns;
    fetch(first_row, from, 0);
    if (first) __syncthreads();  // for the origins
    store(0);
    __syncthreads();
    for (unsigned step = 0; step < steps; ++step) {
      if (step + 1 < steps) fetch(first_row, from, step + 1);
      if (at_work) add_step(step & 1);
      if (step + 1 < steps) store(~step & 1);
      __syncthreads();
    }
    flush(first_row, first);
    first = false;
  }
}

/// Adds what the blocks of add_moments() have left to the totals, in an order that is always the same.
template <class T, class Sum>
__global__ void fold_moments(const moment_arguments<T, Sum> with, Sum* totals) {
  constexpr unsigned edge = moment_tile<T>::edge;
  constexpr unsigned cells_at_once = 32, readers = 16;
  __shared__ alignas(16) unsigned char memory[cells_at_once * readers * sizeof(Sum)];
  Sum* const found = reinterpret_cast<Sum*>(memory);
  const moment_plan& plan = with.plan;
  const impl::moment_pair<T> pair(plan, blockIdx.z);
  const unsigned cells = pair.tiles * edge;
  const unsigned copies = copies_of_sums(pair.tiles, edge, moment_tile<T>::threads);
  const unsigned cell = blockIdx.x * cells_at_once + threadIdx.x;
  const unsigned line = blockIdx.y;
  Sum sum{};
  if (cell < cells) {
    for (unsigned slice = threadIdx.y; slice < plan.slices; slice += readers) {
      const Sum* const from =
          with.partial + ((std::uint64_t{blockIdx.z} * plan.slices + slice) * (edge + 1) + line) * plan.line;
      for (unsigned copy = 0; copy < copies; ++copy) sum = sum + from[copy * cells + cell];
    }
  }
  found[threadIdx.y * cells_at_once + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || cell >= cells) return;
  for (unsigned reader = 1; reader < readers; ++reader)
    sum = sum + found[reader * cells_at_once + threadIdx.x];
  unsigned ti, tj;
  pair.find(cell / edge, ti, tj);
  const unsigned i = (pair.i * plan.block_tiles + ti) * edge + line;
  const unsigned j = (pair.j * plan.block_tiles + tj) * edge + cell % edge;
  const moment_cells at{plan.columns};
  if (j >= plan.columns) return;
  if (line == edge) {
    if (pair.same() && ti == tj) totals[at.sum(j)] = totals[at.sum(j)] + sum;
    if (pair.same() && ti == 0 && j == 0)
      totals[at.rows()] = totals[at.rows()] + Sum(static_cast<double>(with.rows));
  } else if (i <= j) {
    totals[at.product(i, j)] = totals[at.product(i, j)] + sum;
  }
}

}  // namespace duomap::gpu
