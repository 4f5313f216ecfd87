// First pass of the sort engine: maps every record to count what it will emit.
#pragma once

#include "core/chunk.hpp"
#include "core/key.hpp"
#include "core/task.hpp"
#include "gpu/object/tuning.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/sort/block_sum.cuh"
#include "gpu/sort/emit_space.hpp"
#include "gpu/sort/key_compare.hpp"

#include <concepts>
#include <cstdint>
#include <limits>

namespace duomap::gpu {

/// Whether a task's emits may need bytes beside their compact_keys.
template <class Task>
inline constexpr bool stores_bytes =
    std::same_as<typename Task::key, byte_view> || std::same_as<typename Task::reduce::value_type, byte_view> ||
    (hashed_key<typename Task::key> && sizeof(result_key<typename Task::key>) > compact_key::max_inline);

/// What map calls to be counted.
template <class Task>
class emit_counter {
  using key_type = result_key<typename Task::key>;
  using value_type = typename Task::reduce::value_type;

 public:
  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
    ++space_.emits;
    if constexpr (stores_bytes<Task>) {
      space_.bytes += stored_bytes_of(key_bytes(key).size);
      if constexpr (std::same_as<value_type, byte_view>) space_.bytes += stored_bytes_of(value.size);
    }
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(key_type{}, value); }

  [[nodiscard]] DUOMAP_HD const emit_space& space() const { return space_; }

 private:
  emit_space space_;
};

/// What each thread found: thread t of tile i at i * block_threads + t.
struct thread_counts {
  std::uint32_t* emits = nullptr;  // 2^32 - 1 for more: such a tile fits into no memory
  std::uint64_t* bytes = nullptr;  // null when the task stores none
};

/// Calls use(record, bytes) for the calling thread's records of a tile: consecutive ones, so that the emits
/// of one thread stand together and the count of a thread gives the place of each. Both passes share records
/// out alike.
template <class Format, class Use>
__device__ void for_each_own_record(const record_tile<Format>& tile, Use&& use) {
  const std::uint32_t share = (tile.count() + block_threads - 1) / block_threads;
  const std::uint32_t begin = threadIdx.x * share;
  const std::uint32_t end = min(begin + share, tile.count());
  for (std::uint32_t i = begin; i < end; ++i) {
    record_bytes bytes;
    const auto record = tile.record(i, bytes);
    use(record, bytes);
  }
}

/// Shared memory of a block of either pass.
template <class Task>
struct alignas(16) emit_memory {
  typename record_tile<typename Task::format>::storage tile;
  block_sum_memory emits;
  block_sum_memory bytes;
};

template <class Task>
struct count_arguments {
  Task task;
  typename Task::format format;
  chunk part;
  thread_counts threads;
  emit_space* tiles;
};

/// A block for each tile.
template <class Task>
__global__ void __launch_bounds__(block_threads) count_emits(const __grid_constant__ count_arguments<Task> with) {
  extern __shared__ uint4 dynamic_memory[];
  auto& shared = *reinterpret_cast<emit_memory<Task>*>(dynamic_memory);
  record_tile<typename Task::format> tile(shared.tile, with.part, with.format);
  tile.load(blockIdx.x);
  __syncthreads();
  tile.find();

  emit_counter<Task> emit;
  for_each_own_record(tile, [&](const auto& record, const record_bytes&) { with.task.map(record, emit); });

  const emit_space mine = emit.space();
  const std::uint64_t place = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  with.threads.emits[place] = static_cast<std::uint32_t>(min(mine.emits, most));
  emit_space all{sum_over_block(mine.emits, shared.emits).total, 0};
  if constexpr (stores_bytes<Task>) {
    with.threads.bytes[place] = mine.bytes;
    all.bytes = sum_over_block(mine.bytes, shared.bytes).total;
  }
  if (threadIdx.x == 0) with.tiles[blockIdx.x] = all;
}

}  // namespace duomap::gpu
