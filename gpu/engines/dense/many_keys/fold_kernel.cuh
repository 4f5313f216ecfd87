// Folds the emits of each partition into accumulators in shared memory: the second pass for many dense keys.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/dense/block_cells.cuh"
#include "gpu/engines/dense/device_cells.cuh"
#include "gpu/engines/dense/many_keys/key_tiles.hpp"
#include "gpu/engines/dense/many_keys/partition_kernel.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned fold_threads = 1024;

namespace detail {

/// Emits that a lane loads at a time: 32 bytes of values, but at most 8 emits.
template <class V>
inline constexpr unsigned emits_on_their_way = sizeof(V) <= 4 ? 8 : 32 / sizeof(V);

/// The number of lanes that together fold a tile's emits of one partition: fewer if there are few such emits.
[[nodiscard]] __device__ inline unsigned lanes_per_run(key_partition partition) {
  return partition.bits < 7 ? 32 : partition.bits == 7 ? 16 : 8;
}

/// Called by a warp: folds the emits of one partition in up to 32 tiles. `begin` and `end` are the range in
/// this lane's tile.
template <class R>
__device__ void fold_tiles(const block_cells<R>& cells, const key_tiles<typename R::value_type>& tiles,
                           std::uint64_t tile, std::uint32_t begin, std::uint32_t end, const R& reduce) {
  using value_type = typename R::value_type;
  constexpr unsigned at_once = emits_on_their_way<value_type>;
  if (__ballot_sync(~0u, begin < end) == 0) return;
  const unsigned width = lanes_per_run(tiles.partition);
  for (unsigned first = 0; first < 32; first += 32 / width) {
    const int from = static_cast<int>(first + threadIdx.x % 32 / width);
    const std::uint64_t which = __shfl_sync(~0u, static_cast<unsigned long long>(tile), from);
    const std::uint32_t last = __shfl_sync(~0u, end, from);
    const value_type* const values = tiles.values(which);
    const std::uint16_t* const places = tiles.places(which);
    for (std::uint32_t i = __shfl_sync(~0u, begin, from) + threadIdx.x % width; i < last;
         i += width * at_once) {
      value_type some[at_once];
      std::uint32_t where[at_once];
#pragma unroll
      for (unsigned e = 0; e < at_once; ++e) {
        where[e] = most_places;
        if (i + width * e < last) {
          some[e] = values[i + width * e];
          where[e] = places[i + width * e];
        }
      }
#pragma unroll
      for (unsigned e = 0; e < at_once; ++e) {
        if (where[e] != most_places) cells.fold(where[e], some[e], reduce);
      }
    }
  }
}

}  // namespace detail

/// Cuts each partition into pieces with about the same number of emits. All blocks get about the same number
/// of consecutive pieces. A piece takes tiles at equal distances, because sorted input has all emits of a
/// partition in a few neighbouring tiles.
template <class R>
__global__ void __launch_bounds__(fold_threads, 1)
    fold_partitions(const __grid_constant__ key_tiles<typename R::value_type> tiles, device_cells<R> into,
                    R reduce) {
  extern __shared__ uint4 fold_memory[];
  __shared__ std::uint32_t sums[fold_threads / 32];
  __shared__ std::uint32_t pieces;
  __shared__ unsigned first_partition;
  __shared__ std::uint32_t first_piece;
  constexpr std::uint32_t pieces_per_block = 8;

  const key_partition partition = tiles.partition;
  const unsigned partitions = partition.partitions();
  const std::uint32_t emits = threadIdx.x < partitions ? tiles.totals[threadIdx.x] : 0;
  // 32 bits are enough, because all partitions together have fewer than 2^32 emits.
  const std::uint32_t emits_before = detail::sum_before<fold_threads>(emits, sums);
  if (threadIdx.x == fold_threads - 1) pieces = emits_before + emits;
  __syncthreads();
  const std::uint32_t each = pieces / (pieces_per_block * gridDim.x) + 1;
  const std::uint32_t mine = (emits + each - 1) / each;
  __syncthreads();
  const std::uint32_t before = detail::sum_before<fold_threads>(mine, sums);
  if (threadIdx.x == fold_threads - 1) pieces = before + mine;
  __syncthreads();
  const auto piece_of = [&](unsigned block) {
    return static_cast<std::uint32_t>(std::uint64_t{pieces} * block / gridDim.x);
  };
  std::uint32_t piece = piece_of(blockIdx.x);
  const std::uint32_t end_piece = piece_of(blockIdx.x + 1);
  if (mine > 0 && before <= piece && piece - before < mine) {
    first_partition = threadIdx.x;
    first_piece = before;
  }
  __syncthreads();

  const auto places = static_cast<std::uint32_t>(partition.places(into.keys()));
  const block_cells<R> cells(fold_memory, places, 0);
  unsigned p = first_partition;
  std::uint32_t base = first_piece;
  while (piece < end_piece) {
    const std::uint32_t of_partition = (tiles.totals[p] + each - 1) / each;
    if (piece >= base + of_partition) {
      base += of_partition;
      ++p;
      continue;
    }
    const std::uint32_t first = piece - base;
    const std::uint32_t here = min(end_piece - base, of_partition) - first;
    cells.clear(reduce);
    __syncthreads();
    const std::uint64_t visits = (tiles.count + of_partition - 1) / of_partition * here;
    for (std::uint64_t visit = threadIdx.x / 32 * 32; visit < visits; visit += fold_threads) {
      const std::uint64_t my_visit = visit + threadIdx.x % 32;
      const std::uint64_t tile = my_visit / here * of_partition + first + my_visit % here;
      const bool has_tile = my_visit < visits && tile < tiles.count;
      const std::uint16_t* const starts = tiles.starts_of(tile) + p;
      const std::uint32_t begin = has_tile ? starts[0] : 0;
      const std::uint32_t end = has_tile ? starts[1] : 0;
      detail::fold_tiles(cells, tiles, tile, begin, end, reduce);
    }
    __syncthreads();
    for (std::uint32_t place = threadIdx.x; place < places; place += fold_threads) {
      const maybe<typename R::value_type> found = cells.read(place, 0);
      if (found.present) into.fold_alone(partition.key_of(p, place), found.value, reduce);
    }
    __syncthreads();
    piece = base + first + here;
  }
}

}  // namespace duomap::gpu
