// Adds up rows about an origin, and the products of their columns, by kernels.
#pragma once

#include "numeric/pca/moment_cells.hpp"
#include "numeric/pca/moment_plan.hpp"

#include <cstdint>

namespace duomap::gpu {

/// The arguments of add_moments(), in device memory.
template <class T, class Sum>
struct moment_arguments {
  const T* data;  ///< rows of plan.columns numbers without gaps
  std::uint64_t rows;
  const T* origin;  ///< plan.columns numbers
  Sum* partial;     ///< plan.grid() * (edge + 1) * plan.line sums
  moment_plan plan;
};

namespace detail {

template <class T>
struct alignas(16) number_vector {
  T at[moment_tile<T>::vector];
};

/// The work of a block of threads: a pair of column blocks, and one of its slices.
template <class T>
struct moment_pair {
  moment_share share;
  unsigned i;  // column blocks
  unsigned j;
  unsigned slice;
  unsigned first_block;  // the number of the pair's first block of threads

  __device__ moment_pair(const moment_plan& plan, unsigned block) {
    const unsigned same = plan.blocks * plan.same.slices;
    if (block < same) {
      share = plan.same;
      i = j = block / share.slices;
      first_block = i * share.slices;
    } else {
      share = plan.other;
      const unsigned number = (block - same) / share.slices;
      unsigned before = 0;
      for (j = 1; before + j <= number; ++j) before += j;
      i = number - before;
      first_block = same + number * share.slices;
    }
    slice = block - first_block;
  }

  [[nodiscard]] __device__ bool same() const { return i == j; }

  /// Finds the row and column of a tile.
  __device__ void find(unsigned tile, unsigned block_tiles, unsigned& ti, unsigned& tj) const {
    if (!same()) {
      ti = tile / block_tiles;
      tj = tile % block_tiles;
      return;
    }
    unsigned before = 0;
    for (tj = 0; before + tj + 1 <= tile; ++tj) before += tj + 1;
    ti = tile - before;
  }
};

/// The place in shared memory, in vectors, of vector `v` of tile `t` of a column block. The first vectors of
/// all tiles come first, then their second vectors, so that threads of neighbouring tiles read neighbouring
/// vectors.
[[nodiscard]] __device__ inline unsigned vector_place(unsigned vector, unsigned tiles) {
  return vector % 2 * tiles + vector / 2;
}

}  // namespace detail

/// Adds up a chunk. Each block of threads writes the sums for its rows and its pair of column blocks to
/// `partial`, one line of all tiles after another; after `edge` lines of products comes a line of sums of
/// columns. `Aligned`: every row begins at a multiple of 16 bytes.
///
/// The arithmetic of a cell of a run is fixed: one sum starts at 0 and takes row after row, and each product
/// is one fused multiply-add. So the CPU can compute the same bits (numeric/pca/run_moments.hpp).
template <bool Aligned, class T, class Sum>
__global__ void __launch_bounds__(moment_tile<T>::threads, 2)
    add_moments(const moment_arguments<T, Sum> with) {
  using size = moment_tile<T>;
  using vector_type = detail::number_vector<T>;
  constexpr unsigned edge = size::edge, vector = size::vector, loads = size::loads, threads = size::threads;
  __shared__ vector_type shared[2][size::shared_numbers / vector];
  __shared__ vector_type origins[size::most_width / vector];

  const moment_plan& plan = with.plan;
  const detail::moment_pair<T> pair(plan, blockIdx.x);
  const moment_share& share = pair.share;
  const unsigned block_columns = plan.block_tiles * edge, row_vectors = share.width / vector;
  const auto column_of = [&](unsigned place) {
    return place < block_columns ? pair.i * block_columns + place : (pair.j - 1) * block_columns + place;
  };
  for (unsigned c = threadIdx.x; c < share.width; c += threads) {
    const unsigned column = column_of(c);
    origins[c / vector].at[c % vector] = column < plan.columns ? with.origin[column] : T{0};
  }

  // The loads of this thread in each step; place 0xFFFF means no load.
  std::uint32_t row_of[loads], offset[loads];
  std::uint16_t place[loads];
  std::uint8_t origin_place[loads];
#pragma unroll
  for (unsigned l = 0; l < loads; ++l) {
    const unsigned number = threadIdx.x + l * threads;
    const unsigned row = number / row_vectors, v = number % row_vectors;
    const unsigned phase = row / share.step, row_in_step = row % share.step;
    const unsigned tiles_before = v * vector < block_columns ? 0 : 2 * plan.block_tiles;
    row_of[l] = phase * plan.run + row_in_step;
    offset[l] = row_of[l] * plan.columns + column_of(v * vector);
    place[l] = static_cast<std::uint16_t>(
        phase < share.phases ? (phase * share.pitch() + row_in_step * share.width) / vector + tiles_before +
                                   detail::vector_place(v - tiles_before, plan.block_tiles)
                             : 0xFFFFu);
    origin_place[l] = static_cast<std::uint8_t>(v);
  }

  const unsigned phase = threadIdx.x / share.tiles;
  const bool at_work = phase < share.phases;
  unsigned ti, tj;
  pair.find(threadIdx.x % share.tiles, plan.block_tiles, ti, tj);
  if (!pair.same()) tj += 2 * plan.block_tiles;

  // The number of steps of this unit in which a load has an existing row and column.
  std::uint32_t steps_there[loads];
  const auto begin_unit = [&](std::uint64_t rows_left) {
#pragma unroll
    for (unsigned l = 0; l < loads; ++l) {
      const bool used = place[l] != 0xFFFF && column_of(origin_place[l] * vector) < plan.columns;
      steps_there[l] = used && row_of[l] < rows_left
                           ? static_cast<std::uint32_t>(
                                 min(rows_left - row_of[l] + share.step - 1, std::uint64_t{1} << 20)) /
                                 share.step
                           : 0;
    }
  };
  vector_type on_its_way[loads];
  const auto fetch = [&](const T* from, unsigned step) {
#pragma unroll
    for (unsigned l = 0; l < loads; ++l) {
      if (step >= steps_there[l]) continue;
      if constexpr (Aligned) {
        on_its_way[l] = *reinterpret_cast<const vector_type*>(from + offset[l]);
      } else {
        const unsigned columns = plan.columns - column_of(origin_place[l] * vector);
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) {
          if (v < columns) on_its_way[l].at[v] = from[offset[l] + v];
        }
      }
    }
  };
  const auto store = [&](unsigned stage, unsigned step) {
#pragma unroll
    for (unsigned l = 0; l < loads; ++l) {
      if (place[l] == 0xFFFF) continue;
      const vector_type origin = origins[origin_place[l]];
      const bool there = step < steps_there[l];
      vector_type centred;
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) {
        bool is_there = there;
        if constexpr (!Aligned) is_there = there && column_of(origin_place[l] * vector) + v < plan.columns;
        centred.at[v] = is_there ? on_its_way[l].at[v] - origin.at[v] : T{0};
      }
      shared[stage][place[l]] = centred;
    }
  };

  // Products, and after them the sums of the tile's columns.
  T sums[edge + 1][edge];
  const unsigned first_line = phase * share.pitch() / vector;
  const auto add_step = [&](unsigned stage) {
    const vector_type* line = shared[stage] + first_line;
#pragma unroll 2
    for (unsigned r = 0; r < share.step; ++r, line += row_vectors) {
      vector_type a[2], b[2];
#pragma unroll
      for (unsigned v = 0; v < 2; ++v) {
        a[v] = line[ti + v * plan.block_tiles];
        b[v] = line[tj + v * plan.block_tiles];
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

  // Moves the sums of all phases to the block's place in device memory, through shared memory line by line.
  const unsigned cells = share.tiles * edge;
  const unsigned copies = copies_of_sums<T>(share.tiles);
  Sum* const partial = with.partial + std::uint64_t{blockIdx.x} * (edge + 1) * plan.line;
  T* const exchange = reinterpret_cast<T*>(shared);
  const auto flush = [&](std::uint64_t rows_left, bool first) {
    const auto phases =
        static_cast<unsigned>(min(std::uint64_t{share.phases}, (rows_left + plan.run - 1) / plan.run));
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

  const unsigned steps = plan.run / share.step;
  const std::uint64_t unit_rows = std::uint64_t{share.phases} * plan.run;
  std::uint64_t first_row = pair.slice * unit_rows;
  for (bool first = true; first || first_row < with.rows; first = false) {
    const std::uint64_t rows_left = first_row < with.rows ? with.rows - first_row : 0;
#pragma unroll
    for (unsigned x = 0; x <= edge; ++x) {
#pragma unroll
      for (unsigned y = 0; y < edge; ++y) sums[x][y] = 0;
    }
    begin_unit(rows_left);
    const T* from = with.data + first_row * plan.columns;
    const unsigned stride = share.step * plan.columns;
    fetch(from, 0);
    __syncthreads();  // for the origins, and because the exchange used this memory
    store(0, 0);
    __syncthreads();
    for (unsigned step = 0; step < steps; ++step) {
      from += stride;
      const bool more = step + 1 < steps;
      if (more) fetch(from, step + 1);
      if (at_work) add_step(step & 1);
      if (more) store(~step & 1, step + 1);
      __syncthreads();
    }
    flush(rows_left, first);
    first_row += share.slices * unit_rows;
  }
  if (copies == 1) return;
  for (unsigned item = threadIdx.x; item < (edge + 1) * cells; item += threads) {
    Sum* const line = partial + item / cells * plan.line + item % cells;
    Sum sum = line[0];
    for (unsigned copy = 1; copy < copies; ++copy) sum = sum + line[copy * cells];
    line[0] = sum;
  }
}

/// Cells of a block of fold_moments(), and threads that read each cell.
inline constexpr unsigned fold_cells = 32;
inline constexpr unsigned fold_readers = 16;

/// Adds the partial sums of the blocks of add_moments() to the totals (moment_cells), always in the same
/// order. The grid has (pairs * blocks for the cells of a line, edge + 1) blocks.
template <class T, class Sum>
__global__ void fold_moments(const moment_arguments<T, Sum> with, Sum* totals) {
  constexpr unsigned edge = moment_tile<T>::edge;
  __shared__ alignas(16) unsigned char memory[fold_cells * fold_readers * sizeof(Sum)];
  Sum* const found = reinterpret_cast<Sum*>(memory);
  const moment_plan& plan = with.plan;
  const unsigned parts = gridDim.x / (plan.blocks + plan.others());
  const unsigned number = blockIdx.x / parts;
  const detail::moment_pair<T> pair(
      plan, number < plan.blocks
                ? number * plan.same.slices
                : plan.blocks * plan.same.slices + (number - plan.blocks) * plan.other.slices);
  const unsigned cell = blockIdx.x % parts * fold_cells + threadIdx.x;
  const unsigned line = blockIdx.y;
  const bool is_cell = cell < pair.share.tiles * edge;
  Sum sum{};
  if (is_cell) {
    for (unsigned slice = threadIdx.y; slice < pair.share.slices; slice += fold_readers) {
      sum = sum +
            with.partial[(std::uint64_t{pair.first_block + slice} * (edge + 1) + line) * plan.line + cell];
    }
  }
  found[threadIdx.y * fold_cells + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || !is_cell) return;
  for (unsigned reader = 1; reader < fold_readers; ++reader)
    sum = sum + found[reader * fold_cells + threadIdx.x];
  unsigned ti, tj;
  pair.find(cell / edge, plan.block_tiles, ti, tj);
  const unsigned i = (pair.i * plan.block_tiles + ti) * edge + line;
  const unsigned j = (pair.j * plan.block_tiles + tj) * edge + cell % edge;
  if (j >= plan.columns) return;
  const moment_cells at{plan.columns};
  const auto add = [&](std::uint64_t key, const Sum& value) {
    totals[key] = totals[key] + value;
  };
  if (line < edge) {
    if (i <= j) add(at.product(i, j), sum);
  } else if (pair.same() && ti == tj) {
    add(at.sum(j), sum);
    if (j == 0) add(at.rows(), Sum(static_cast<double>(with.rows)));
  }
}

}  // namespace duomap::gpu
