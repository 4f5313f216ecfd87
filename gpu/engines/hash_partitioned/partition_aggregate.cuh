// Reduces each partition's entries in a table in shared memory: the second pass for many keys.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/hash_partitioned/fold_records.cuh"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/hash_partitioned/pair_list.cuh"
#include "gpu/engines/hash_partitioned/partition_pass.cuh"
#include "gpu/engines/hash_partitioned/partition_regions.cuh"

#include <cstdint>

namespace duomap::gpu {

template <class Bits, reduction R, class Stored>
struct partition_aggregate_arguments {
  R reduce;
  partition_regions<Bits, Stored> regions;
  hot_table<Bits, R> hot;
  bool hot_keys;
  table_shape<Bits> shape;
  pair_list<Bits, typename R::value_type> list;
};

namespace detail {

/// Writes a block's share of the frequent keys to the list. Called by whole blocks.
template <class Bits, reduction R>
__device__ void list_hot_keys(const hot_table<Bits, R>& hot,
                              const pair_list<Bits, typename R::value_type>& list) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < hot.sample.hot_slots;
       i += gridDim.x * blockDim.x) {
    const auto place = static_cast<unsigned>(hot.sample.hot[i]);
    if (place != 0) list.entries[list.extend(1)] = {hot.sample.finder.keys[place - 1], hot.cells[i].read()};
  }
}

/// Writes the occupied slots of a table to the list. Called by whole blocks, after a barrier.
template <class Bits, reduction R>
__device__ void list_table(const bucket_table<Bits, R>& table,
                           const pair_list<Bits, typename R::value_type>& list, const R& reduce) {
  __shared__ unsigned long long first;
  __shared__ unsigned given;
  if (threadIdx.x == 0) {
    first = list.extend(*table.filled);
    given = 0;
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x < table.slots; i += blockDim.x) {
    const bool has_one = i < table.slots && table.is_occupied(i);
    const unsigned votes = __ballot_sync(~0u, has_one);
    unsigned at = 0;
    if (lane == 0 && votes != 0) at = atomicAdd(&given, static_cast<unsigned>(__popc(votes)));
    at = __shfl_sync(~0u, at, 0) + static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)));
    if (has_one) list.entries[first + at] = {table.keys[i], table.read(i, reduce)};
  }
}

}  // namespace detail

/// The kernel, with one block for each partition.
template <class Bits, reduction R, class Stored>
__global__ void __launch_bounds__(detail::most_table_threads, 1)
    partition_aggregate(const __grid_constant__ partition_aggregate_arguments<Bits, R, Stored> with) {
  using value_type = typename R::value_type;
  extern __shared__ uint4 dynamic_memory[];
  __shared__ unsigned filled;

  const auto table = detail::table_in<Bits, R>(dynamic_memory, with.shape, blockIdx.x, &filled);
  auto queue = detail::queue_in<Bits, R>(dynamic_memory);
  table.clear(with.reduce);
  if (with.hot_keys) detail::list_hot_keys(with.hot, with.list);
  __syncthreads();
  const auto spill = [&](const key_value<Bits, value_type>& one, bool has_one) {
    with.list.spill(one, has_one);
  };
  const std::uint32_t entries = min(with.regions.sent[blockIdx.x], with.regions.region_entries);
  if constexpr (partition_regions<Bits, Stored>::apart) {
    const region_reader<Bits, R, Stored> reader(with.regions, blockIdx.x);
    detail::fold_records(reader, entries, 0, 1, queue, table, with.reduce, spill);
  } else {
    using fold_task = fold_key_values<Bits, R, Stored>;
    const fold_task task{with.reduce};
    const typename fold_task::format format = fold_task::records();
    const chunk part{reinterpret_cast<const char*>(with.regions.entries() +
                                                   std::uint64_t{blockIdx.x} * with.regions.region_entries)};
    const record_reader<fold_task> reader(task, format, part, &with.list.counts->broken_promise);
    detail::fold_records(reader, entries, 0, 1, queue, table, with.reduce, spill);
  }
  queue.empty(table, with.reduce, spill);
  __syncthreads();
  detail::list_table(table, with.list, with.reduce);
}

}  // namespace duomap::gpu
