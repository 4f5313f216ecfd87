// Brings a list of reduced keys to host memory, grouped by the partitions of core/hash.hpp.
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/partial/keyed.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
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
class list_part final : public host_partial<Task> {
  using key_type = typename Task::key;
  using value_type = typename Task::reduce::value_type;
  using entry = key_value<key_bits<key_type>, value_type>;

 public:
  /// Copies `count` entries from the device; needs as much device memory again. @throws
  /// device_out_of_memory, device_lost
  list_part(const entry* entries, std::uint64_t count, const stream& on) {
    const device_buffer grouped(count * sizeof(entry), on);
    const device_buffer places(partition_count * sizeof(unsigned long long), on);
    auto* const next_place = places.as<unsigned long long>();
    check(cudaMemsetAsync(next_place, 0, places.size(), on.get()), "clearing the partitions' counts");
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(
        detail::list_blocks, (count + detail::list_threads - 1) / detail::list_threads));
    launch(detail::count_list<key_type, value_type>, {blocks, detail::list_threads, 0, on.get()}, entries,
           count, next_place);
    std::array<unsigned long long, partition_count> counts{};
    check(cudaMemcpyAsync(counts.data(), next_place, sizeof counts, cudaMemcpyDeviceToHost, on.get()),
          "reading the partitions' counts");
    on.wait();
    for (unsigned p = 0; p < partition_count; ++p) {
      begins_[p + 1] = begins_[p] + counts[p];
      counts[p] = begins_[p];
    }
    expects(begins_.back() == count, "every entry of a list is in a partition");
    check(cudaMemcpyAsync(next_place, counts.data(), sizeof counts, cudaMemcpyHostToDevice, on.get()),
          "writing the partitions' places");
    launch(detail::group_list<key_type, value_type>, {blocks, detail::list_threads, 0, on.get()}, entries,
           count, next_place, grouped.as<entry>());
    // Through page-locked memory, because pageable copies run at a third of the link's speed.
    const pinned_buffer staging(std::min<std::uint64_t>(std::uint64_t{4} << 20, grouped.size()));
    entries_ = std::make_unique_for_overwrite<char[]>(grouped.size());
    for (std::uint64_t at = 0; at < grouped.size(); at += staging.size()) {
      const std::uint64_t part = std::min(staging.size(), grouped.size() - at);
      check(cudaMemcpyAsync(staging.as<void>(), grouped.as<char>() + at, part, cudaMemcpyDeviceToHost,
                            on.get()),
            "copying results from the device");
      on.wait();
      std::memcpy(entries_.get() + at, staging.as<void>(), part);
    }
  }

  [[nodiscard]] partial_for<Task> release_partial(worker_pool& pool) override {
    partial_for<Task> partial;
    constexpr unsigned group = 16;  // an index should stand for microseconds of work
    pool.for_each_index(partition_count / group, [&](std::uint64_t index) {
      for (unsigned p = static_cast<unsigned>(index) * group; p < (index + 1) * group; ++p) {
        auto& keys = partial.partitions[p];
        keys.reserve(begins_[p + 1] - begins_[p]);
        for (std::uint64_t i = begins_[p]; i < begins_[p + 1]; ++i) {
          entry one;
          std::memcpy(&one, entries_.get() + i * sizeof(entry), sizeof one);
          const key_type key = key_of_bits<key_type>(one.key);
          keys.push_back({compact_key::of_short(key_bytes(key)), one.value});
        }
      }
    });
    return partial;
  }

 private:
  std::array<std::uint64_t, partition_count + 1> begins_{};
  std::unique_ptr<char[]> entries_;
};

/// A part of another task with the same keys and values.
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
