// Owns a device table: makes it, enlarges it, and copies its contents to host memory.
#pragma once

#include "core/hash.hpp"
#include "core/reduce.hpp"
#include "core/text/keyed_hash.hpp"
#include "core/zeroed_memory.hpp"
#include "gpu/engines/bring_to_host.cuh"
#include "gpu/engines/hash/device_table.hpp"
#include "gpu/engines/hash/table_contents.cuh"
#include "gpu/engines/hash/table_extent.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap::gpu {

namespace detail {

inline constexpr unsigned table_threads = 256;
/// Enough blocks to fill any current device several times; each thread loops over the remaining slots.
inline constexpr unsigned table_blocks = 2048;

[[nodiscard]] __device__ inline std::uint64_t thread_index() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
[[nodiscard]] __device__ inline std::uint64_t thread_count() { return std::uint64_t{gridDim.x} * blockDim.x; }

template <reduction R>
__global__ void clear_cells(typename device_table<R>::cell* cells, std::uint64_t count, const R reduce) {
  for (std::uint64_t i = thread_index(); i < count; i += thread_count()) cells[i].clear(reduce);
}

/// Moves all entries of a table into an empty, larger one that uses the same pool.
template <reduction R>
__global__ void move_entries(const device_table<R> from, const device_table<R> to) {
  for (std::uint64_t i = thread_index(); i <= from.slot_mask; i += thread_count()) {
    if (from.words[i] != 0) to.take_over(from.words[i], from.cells[i]);
  }
}

template <reduction R>
__global__ void count_partitions(const device_table<R> table, unsigned long long* counts) {
  __shared__ unsigned mine[partition_count];
  for (unsigned i = threadIdx.x; i < partition_count; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (std::uint64_t i = thread_index(); i <= table.slot_mask; i += thread_count()) {
    const std::uint64_t word = table.words[i];
    if (word != 0) atomicAdd(mine + partition_of(table.hash_of(word)), 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < partition_count; i += blockDim.x) {
    if (mine[i] != 0) atomicAdd(counts + i, static_cast<unsigned long long>(mine[i]));
  }
}

/// Writes every entry to the next place of its partition.
template <reduction R>
__global__ void group_entries(const device_table<R> table, unsigned long long* next_place,
                              table_entry<typename R::value_type>* entries) {
  for (std::uint64_t i = thread_index(); i <= table.slot_mask; i += thread_count()) {
    const std::uint64_t word = table.words[i];
    if (word == 0) continue;
    const unsigned long long place = atomicAdd(next_place + partition_of(table.hash_of(word)), 1ull);
    entries[place] = {word, table.cells[i].read()};
  }
}

}  // namespace detail

/// A device table and its memory. Used by one thread, which queues all work on one stream.
template <reduction R>
class table_memory {
 public:
  using value_type = typename R::value_type;
  using cell = typename device_table<R>::cell;

  static constexpr std::uint64_t slot_bytes = sizeof(unsigned long long) + sizeof(cell);

  /// The device memory of a table of that size.
  [[nodiscard]] static std::uint64_t bytes_of(const table_extent& size) {
    return size.slots * slot_bytes + size.pool_bytes;
  }

  /// Makes an empty table. `on` must outlive it.
  /// @throws device_out_of_memory
  table_memory(const table_extent& size, const R& reduce, std::uint64_t hash_mask, const stream& on)
    : on_(on),
      size_(size),
      words_(size.slots * sizeof(unsigned long long), on),
      cells_(size.slots * sizeof(cell), on),
      pool_(size.pool_bytes, on),
      counters_(sizeof(table_counters), on),
      reduce_(reduce),
      hash_mask_(hash_mask) {
    clear();
  }

  [[nodiscard]] const table_extent& size() const noexcept { return size_; }

  /// The table for kernels; valid until the table grows.
  [[nodiscard]] device_table<R> view() const {
    return {.words = words_.template as<unsigned long long>(),
            .cells = cells_.template as<cell>(),
            .pool = pool_.template as<unsigned long long>(),
            .counters = counters_.template as<table_counters>(),
            .slot_mask = size_.slots - 1,
            .index_shift = 64 - static_cast<unsigned>(std::countr_zero(size_.slots)),
            .most_keys = size_.most_keys(),
            .most_pool_bytes = size_.pool_bytes,
            .hash_mask = hash_mask_,
            .secret = process_hash_secret(),
            .reduce = reduce_};
  }

  /// Waits for the stream and reads the counters. No kernel runs then, so all reserved room is used room.
  [[nodiscard]] table_counters counters() const {
    table_counters now;
    check(cudaMemcpyAsync(&now, counters_.template as<void>(), sizeof now, cudaMemcpyDeviceToHost, on_.get()),
          "reading the table's counters");
    on_.wait();
    return now;
  }

  void clear() {
    check(cudaMemsetAsync(words_.template as<void>(), 0, words_.size(), on_.get()), "clearing the table");
    check(cudaMemsetAsync(counters_.template as<void>(), 0, counters_.size(), on_.get()),
          "clearing the table's counters");
    launch(detail::clear_cells<R>, grid(), cells_.template as<cell>(), size_.slots, reduce_);
  }

  /// Enlarges the table to `wanted`, which must be at least as large in slots and in pool bytes.
  /// @throws device_out_of_memory, and the table is unchanged
  void grow(const table_extent& wanted) {
    const table_counters now = counters();
    table_memory larger(wanted, reduce_, hash_mask_, on_);
    check(cudaMemcpyAsync(larger.pool_.template as<void>(), pool_.template as<void>(), now.pool_bytes,
                          cudaMemcpyDeviceToDevice, on_.get()),
          "moving the table's keys");
    check(cudaMemcpyAsync(larger.counters_.template as<void>(), counters_.template as<void>(), sizeof now,
                          cudaMemcpyDeviceToDevice, on_.get()),
          "moving the table's counters");
    launch(detail::move_entries<R>, grid(), view(), larger.view());
    std::swap(size_, larger.size_);
    std::swap(words_, larger.words_);
    std::swap(cells_, larger.cells_);
    std::swap(pool_, larger.pool_);
    std::swap(counters_, larger.counters_);
  }

  /// Copies all entries to the host. The threads that copy long keys stay on `cores`.
  [[nodiscard]] table_contents contents(std::vector<unsigned> cores) const {
    using entry = table_entry<value_type>;
    const table_counters now = counters();
    table_contents all{{now.reserved_keys, sizeof(entry), on_,
                        [&](auto* counts) { launch(detail::count_partitions<R>, grid(), view(), counts); },
                        [&](auto* places, void* to) {
                          launch(detail::group_entries<R>, grid(), view(), places, static_cast<entry*>(to));
                        }}};
    if (now.pool_bytes == 0) return all;
    all.pool = allocate_zeroed(now.pool_bytes, "the keys of a GPU's table");
    bring_to_host({{all.pool.get(), pool_.template as<void>(), now.pool_bytes}}, std::move(cores), on_);
    return all;
  }

 private:
  [[nodiscard]] launch_shape grid() const {
    const std::uint64_t blocks = (size_.slots + detail::table_threads - 1) / detail::table_threads;
    return {static_cast<unsigned>(std::min<std::uint64_t>(blocks, detail::table_blocks)),
            detail::table_threads, 0, on_.get()};
  }

  const stream& on_;
  table_extent size_;
  device_buffer words_;
  device_buffer cells_;
  device_buffer pool_;
  device_buffer counters_;
  R reduce_;
  std::uint64_t hash_mask_;
};

}  // namespace duomap::gpu
