// Brings a list of reduced keys to host memory, grouped by the partitions of core/hash.hpp.
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/partial/keyed.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/hash/grouped_entries.cuh"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

namespace detail {

inline constexpr unsigned list_threads = 256;
inline constexpr unsigned list_blocks = 1024;

template <fixed_size_key Key>
[[nodiscard]] __device__ unsigned partition_of_bits(key_bits<Key> bits) {
  const Key key = key_of_bits<Key>(bits);
  return partition_of(compact_key::of_short(key_bytes(key)).hash());
}

template <fixed_size_key Key, class V>
__global__ void __launch_bounds__(list_threads)
    count_list(const key_value<key_bits<Key>, V>* entries, const std::uint64_t count,
               unsigned long long* counts) {
  __shared__ unsigned mine[partition_count];
  for (unsigned i = threadIdx.x; i < partition_count; i += list_threads) mine[i] = 0;
  __syncthreads();
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * list_threads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * list_threads) {
    atomicAdd(mine + partition_of_bits<Key>(entries[i].key), 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < partition_count; i += list_threads) {
    if (mine[i] > 0) atomicAdd(counts + i, static_cast<unsigned long long>(mine[i]));
  }
}

template <fixed_size_key Key, class V>
__global__ void __launch_bounds__(list_threads)
    group_list(const key_value<key_bits<Key>, V>* entries, const std::uint64_t count,
               unsigned long long* next_place, key_value<key_bits<Key>, V>* grouped) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * list_threads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * list_threads) {
    grouped[atomicAdd(next_place + partition_of_bits<Key>(entries[i].key), 1ull)] = entries[i];
  }
}

}  // namespace detail

/// Distinct keys of at most eight bytes with their values, in host memory.
template <map_reduce_task Task>
class list_partial final : public unread_entries<typename Task::reduce::value_type> {
  using key_type = typename Task::key;
  using value_type = typename Task::reduce::value_type;
  using entry = key_value<key_bits<key_type>, value_type>;

 public:
  /// Copies `count` entries from the device. Needs device memory for a second copy of the entries.
  /// @throws device_out_of_memory, device_lost
  list_partial(const entry* entries, std::uint64_t count, const stream& on)
    : entries_(
          count, sizeof(entry), on,
          [&](unsigned long long* counts) {
            launch(detail::count_list<key_type, value_type>, shape(count, on), entries, count, counts);
          },
          [&](unsigned long long* places, void* to) {
            launch(detail::group_list<key_type, value_type>, shape(count, on), entries, count, places,
                   static_cast<entry*>(to));
          }) {}

  void read(unsigned partition, std::vector<keyed_entry<value_type>>& to) const override {
    to.reserve(to.size() + entries_.size(partition));
    entries_.template for_each_in_partition<entry>(partition, [&](const entry& one) {
      const key_type key = key_of_bits<key_type>(one.key);
      to.push_back({compact_key::of_short(key_bytes(key)), one.value});
    });
  }

 private:
  [[nodiscard]] static launch_shape shape(std::uint64_t count, const stream& on) {
    const std::uint64_t blocks = (count + detail::list_threads - 1) / detail::list_threads;
    return {static_cast<unsigned>(std::min<std::uint64_t>(blocks, detail::list_blocks)), detail::list_threads,
            0, on.get()};
  }

  const grouped_entries entries_;
};

/// Passes on a partial of another task that has the same keys and values.
template <map_reduce_task Task, map_reduce_task Other>
class adopted_part final : public host_partial<Task> {
 public:
  explicit adopted_part(std::unique_ptr<host_partial<Other>> part) : part_(std::move(part)) {}
  [[nodiscard]] partial_for<Task> release_partial(worker_pool& pool) override {
    return part_->release_partial(pool);
  }

 private:
  std::unique_ptr<host_partial<Other>> part_;
};

}  // namespace duomap::gpu
