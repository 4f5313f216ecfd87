// Reduces few keys: each block reduces in one large table in shared memory, and folds this table into one in
// device memory.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash_partitioned/fold_records.cuh"
#include "gpu/engines/hash_partitioned/pair_list.cuh"
#include "gpu/engines/hash_partitioned/slot_finder.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The table in device memory into which all blocks fold.
template <class Bits, reduction R>
struct merged_table {
  using cell = field_cell<R, thread_scope::device>;
  slot_finder<Bits> finder;
  cell* cells = nullptr;
};

template <class Task>
struct block_aggregate_arguments {
  using bits = key_bits<typename Task::key>;
  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  std::uint64_t records;
  table_shape<bits> shape;
  merged_table<bits, typename Task::reduce> merged;
  pair_list<bits, typename Task::reduce::value_type> list;
};

namespace detail {

template <class Bits, reduction R>
__global__ void clear_merged(const merged_table<Bits, R> merged, const R reduce) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= merged.finder.slots) return;
  merged.finder.keys[i] = merged.finder.marks.at(i);
  merged.cells[i].clear(reduce);
}

/// Folds a block's table into the table in device memory. Called by whole blocks. Each block starts at a
/// different slot, so that the blocks do not all wait for the same cells.
template <class Bits, reduction R>
__device__ void merge_table(const bucket_table<Bits, R>& table, const merged_table<Bits, R>& merged,
                            const pair_list<Bits, typename R::value_type>& list, const R& reduce) {
  const auto start = static_cast<std::uint32_t>(std::uint64_t{table.slots} * blockIdx.x / gridDim.x);
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x < table.slots; i += blockDim.x) {
    std::uint32_t slot = i + start;
    if (slot >= table.slots) slot -= table.slots;
    bool has_one = i < table.slots && table.is_occupied(slot);
    key_value<Bits, typename R::value_type> one{};
    if (has_one) {
      one = {table.keys[slot], table.read(slot, reduce)};
      const std::uint32_t to = merged.finder.find(one.key);
      if (to != slot_finder<Bits>::none) {
        merged.cells[to].fold(one.value, reduce);
        has_one = false;
      }
    }
    list.spill(one, has_one);
  }
}

/// Writes the merged table to the front of the list.
template <class Bits, reduction R>
__global__ void list_merged(const merged_table<Bits, R> merged,
                            const pair_list<Bits, typename R::value_type> list) {
  __shared__ unsigned long long first;
  __shared__ unsigned given;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool has_one = i < merged.finder.slots && merged.finder.is_occupied(i);
  const int all = __syncthreads_count(has_one);
  if (all == 0) return;
  if (threadIdx.x == 0) {
    first = list.extend(static_cast<unsigned>(all));
    given = 0;
  }
  __syncthreads();
  if (has_one) list.entries[first + atomicAdd(&given, 1u)] = {merged.finder.keys[i], merged.cells[i].read()};
}

}  // namespace detail

/// The kernel, with one block on each multiprocessor. The blocks take tiles in turn.
template <class Task>
__global__ void __launch_bounds__(detail::most_table_threads, 1)
    block_aggregate(const __grid_constant__ block_aggregate_arguments<Task> with) {
  using bits = key_bits<typename Task::key>;
  using reduce_type = typename Task::reduce;
  extern __shared__ uint4 dynamic_memory[];
  __shared__ unsigned filled;

  const auto table = detail::table_in<bits, reduce_type>(dynamic_memory, with.shape, 0, &filled);
  auto queue = detail::queue_in<bits, reduce_type>(dynamic_memory);
  table.clear(with.reduce);
  __syncthreads();

  const record_reader<Task> reader(with.task, with.format, with.part, &with.list.counts->broken_promise);
  const auto spill = [&](const key_value<bits, typename reduce_type::value_type>& one, bool has_one) {
    with.list.spill(one, has_one);
  };
  detail::fold_records(reader, with.records, blockIdx.x, gridDim.x, queue, table, with.reduce, spill);
  queue.empty(table, with.reduce, spill);
  __syncthreads();
  detail::merge_table(table, with.merged, with.list, with.reduce);
}

}  // namespace duomap::gpu
