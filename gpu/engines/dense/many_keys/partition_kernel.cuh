// Maps records and sorts their emits by partition, one tile at a time: the first pass for many dense keys.
#pragma once

#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/many_keys/key_tiles.hpp"
#include "gpu/engines/dense/many_keys/unit_emits.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Two blocks of this size fit on a multiprocessor: while one block waits at a barrier, the other works.
inline constexpr unsigned partition_threads = 512;

template <class Task>
inline constexpr std::uint32_t tile_emits =
    partition_threads* detail::units_of_thread<Task>() * detail::emits_of_unit<Task>;

template <class Task>
inline constexpr std::uint64_t tile_records =
    std::uint64_t{partition_threads} * detail::units_of_thread<Task>() * detail::records_of_unit<Task>();

template <class Task>
[[nodiscard]] constexpr std::uint64_t partition_shared_bytes(key_partition partition) {
  return key_tiles<typename Task::reduce::value_type>::bytes_of_tile(tile_emits<Task>) +
         (std::uint64_t{4} << (partition.bits + counters_log2(partition)));
}

namespace detail {

/// The sum of the values of all threads before this one. Called by a whole block; `sums` has a word for each
/// warp.
template <unsigned Threads>
[[nodiscard]] __device__ std::uint32_t sum_before(std::uint32_t mine, std::uint32_t* sums) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  std::uint32_t inclusive = mine;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t before = __shfl_up_sync(~0u, inclusive, d);
    if (lane >= d) inclusive += before;
  }
  if (lane == 31) sums[warp] = inclusive;
  __syncthreads();
  std::uint32_t before = inclusive - mine;
#pragma unroll 4
  for (unsigned w = 0; w < Threads / 32; ++w) before += w < warp ? sums[w] : 0;
  return before;
}

/// Copies a block's shared memory in whole 16-byte words. Called by a whole block.
template <unsigned Threads>
__device__ void copy_out(void* to, const void* from, std::uint32_t bytes) {
  auto* const into = static_cast<uint4*>(to);
  const auto* const words = static_cast<const uint4*>(from);
#pragma unroll 2
  for (std::uint32_t i = threadIdx.x; i < (bytes + 15) / 16; i += Threads) into[i] = words[i];
}

}  // namespace detail

/// Counts each tile's emits by partition, sorts them in shared memory, and writes them as one piece.
template <partitions_keys Task, bool InParameters>
__global__ void __launch_bounds__(partition_threads, 2)
    partition_by_key(const __grid_constant__ key_arguments<Task, InParameters> with) {
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using emitter = unit_emitter<Task>;
  using reader_type = unit_reader<Task>;
  constexpr unsigned units = detail::units_of_thread<Task>();
  constexpr unsigned count = units * emitter::most;

  extern __shared__ uint4 tile_memory[];
  __shared__ std::uint32_t sums[partition_threads / 32];
  __shared__ std::uint32_t staged;
  const key_partition partition = with.tiles.partition;
  const unsigned partitions = partition.partitions();
  const unsigned copies_log2 = with.copies_log2;
  const unsigned counters = partitions << copies_log2;
  auto* const values = reinterpret_cast<value_type*>(tile_memory);
  auto* const places = reinterpret_cast<std::uint16_t*>(values + tile_emits<Task>);
  auto* const starts = reinterpret_cast<std::uint32_t*>(places + tile_emits<Task>);
  const unsigned copy = threadIdx.x & ((1u << copies_log2) - 1);

  const Task& task = with.task.get();
  const reduce_type reduce = with.reduce;
  const typename emitter::context context{partition, with.keys, with.cells, reduce, with.bad_keys};
  const reader_type reader(with.format, with.part);

  for (unsigned i = threadIdx.x; i < counters; i += partition_threads) starts[i] = 0;
  __syncthreads();

  typename reader_type::words read[units];
  const auto unit_of = [&](std::uint64_t tile, unsigned u) {
    return (tile * units + u) * partition_threads + threadIdx.x;
  };
  const auto load = [&](std::uint64_t tile) {
#pragma unroll
    for (unsigned u = 0; u < units; ++u) reader.load(unit_of(tile, u), read[u]);
  };
  std::uint32_t total = 0;
  if (blockIdx.x < with.tiles.count) load(blockIdx.x);
  for (std::uint64_t tile = blockIdx.x; tile < with.tiles.count; tile += gridDim.x) {
    std::uint32_t to[count];
    value_type emitted[count];
    std::uint32_t ranks[(count + 1) / 2];  // two ranks in each word
#pragma unroll
    for (unsigned u = 0; u < units; ++u) {
      emitter emit(context);
      reader.map(task, unit_of(tile, u), read[u], emit);
#pragma unroll
      for (unsigned e = 0; e < emitter::most; ++e) {
        const unsigned i = u * emitter::most + e;
        to[i] = e < emit.count ? emit.to[e] : emitter::nowhere;
        emitted[i] = emit.values[e];
      }
    }
    // Count: the rank of each emit among the emits that use the same counter.
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      std::uint32_t rank = 0;
      if (to[i] != emitter::nowhere) rank = atomicAdd(starts + (to[i] >> 16 << copies_log2 | copy), 1u);
      ranks[i / 2] = i % 2 == 0 ? rank : ranks[i / 2] | rank << 16;
    }
    __syncthreads();

    // Scan: the place in the tile where the emits of each counter start.
    const unsigned mine = threadIdx.x < counters ? starts[threadIdx.x] : 0;
    const std::uint32_t start = detail::sum_before<partition_threads>(mine, sums);
    if (threadIdx.x < counters) {
      starts[threadIdx.x] = start;
      if (copy == 0)
        with.tiles.starts_of(tile)[threadIdx.x >> copies_log2] = static_cast<std::uint16_t>(start);
    }
    if (threadIdx.x == partition_threads - 1) {
      staged = start + mine;
      with.tiles.starts_of(tile)[partitions] = static_cast<std::uint16_t>(start + mine);
    }
    total += mine;
    __syncthreads();

    // Sort: write each emit to its place in the tile.
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if (to[i] == emitter::nowhere) continue;
      const std::uint32_t at =
          starts[to[i] >> 16 << copies_log2 | copy] + (ranks[i / 2] >> 16 * (i % 2) & 0xFFFF);
      values[at] = emitted[i];
      places[at] = static_cast<std::uint16_t>(to[i]);
    }
    __syncthreads();

    // Write the tile to device memory while the next rows are being loaded.
    if (tile + gridDim.x < with.tiles.count) load(tile + gridDim.x);
    detail::copy_out<partition_threads>(with.tiles.values(tile), values,
                                        staged * static_cast<std::uint32_t>(sizeof(value_type)));
    detail::copy_out<partition_threads>(with.tiles.places(tile), places,
                                        staged * static_cast<std::uint32_t>(sizeof(std::uint16_t)));
    if (threadIdx.x < counters) starts[threadIdx.x] = 0;
    __syncthreads();
  }
  if (total > 0) atomicAdd(with.tiles.totals + (threadIdx.x >> copies_log2), total);

  // Maps the records that do not fill a tile.
  key_emitter emit(with.cells, 0, with.keys, with.keys, reduce, with.bad_keys);
  const std::uint64_t records = record_count(with.format, with.part);
  for (std::uint64_t i = with.tiles.count * tile_records<Task> + blockIdx.x * partition_threads + threadIdx.x;
       i < records; i += std::uint64_t{gridDim.x} * partition_threads)
    reader.map_one(task, i, emit);
}

}  // namespace duomap::gpu
