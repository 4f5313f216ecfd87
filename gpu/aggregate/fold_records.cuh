// A block folds a range of records into its table.
#pragma once

#include "gpu/aggregate/bucket_table.cuh"
#include "gpu/aggregate/record_reader.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Numbers that a block's table and its warps' queues are made from.
template <class Bits>
struct table_shape {
  std::uint32_t slots = 0;
  unsigned replica_bits = 0;
  unsigned skip_bits = 0;
  empty_marks<Bits> marks{};
};

template <class Bits, reduction R>
[[nodiscard]] table_shape<Bits> make_table_shape(std::uint32_t slots, unsigned replica_bits,
                                                 unsigned skip_bits) {
  return {slots, replica_bits, skip_bits, make_marks<Bits>([=](Bits key) {
            return bucket_table<Bits, R>::bucket_of(key, skip_bits, slots);
          })};
}

/// Bytes of dynamic shared memory for a table and its queues.
template <class Bits, reduction R>
[[nodiscard]] std::uint64_t table_shared_bytes(const table_shape<Bits>& shape, unsigned threads) {
  using table = bucket_table<Bits, R>;
  return threads / 32 * queue_entries * sizeof(typename table::entry) + shape.slots * sizeof(Bits) +
         (std::uint64_t{shape.slots} << shape.replica_bits) * sizeof(typename table::cell);
}

namespace impl {

inline constexpr unsigned most_table_threads = 1024;

/// A table behind the queues of all warps in dynamic shared memory.
template <class Bits, reduction R>
[[nodiscard]] __device__ bucket_table<Bits, R> table_in(uint4* dynamic_memory, const table_shape<Bits>& shape,
                                                        unsigned* filled) {
  using table = bucket_table<Bits, R>;
  auto* const bytes = reinterpret_cast<unsigned char*>(dynamic_memory);
  auto* const keys = reinterpret_cast<Bits*>(bytes + blockDim.x / 32 * queue_entries * sizeof(typename table::entry));
  return {keys,
          reinterpret_cast<typename table::cell*>(keys + shape.slots),
          shape.slots,
          shape.replica_bits,
          shape.skip_bits,
          shape.marks,
          filled};
}
template <class Bits, reduction R>
[[nodiscard]] __device__ warp_queue<Bits, R> queue_in(uint4* dynamic_memory) {
  using entry = typename bucket_table<Bits, R>::entry;
  return warp_queue<Bits, R>(reinterpret_cast<entry*>(dynamic_memory) + threadIdx.x / 32 * queue_entries);
}

/// How many emits fold() takes at a time.
[[nodiscard]] consteval unsigned batch_of(unsigned count) {
  return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
}

/// Folds all emits of a thread, a batch at a time.
template <unsigned Count, class Bits, reduction R, class Spill>
__device__ void fold_all(warp_queue<Bits, R>& queue, const bucket_table<Bits, R>& table, const Bits* keys,
                         const typename R::value_type* values, std::uint32_t valid, const R& reduce,
                         const Spill& spill) {
  constexpr unsigned batch = batch_of(Count);
#pragma unroll
  for (unsigned i = 0; i < Count; i += batch)
    queue.template fold<batch>(table, keys + i, values + i, valid >> i, reduce, spill);
}

/// Folds tiles `first`, `first + step`, ... of the records. The next tile is read while one is folded. For
/// whole blocks.
template <class Task, class Bits, reduction R, class Spill>
__device__ void fold_records(const record_reader<Task>& reader, std::uint64_t records, std::uint64_t first,
                             std::uint64_t step, warp_queue<Bits, R>& queue,
                             const bucket_table<Bits, R>& table, const R& reduce, const Spill& spill) {
  using reader_type = record_reader<Task>;
  constexpr unsigned groups = reader_type::group_emits < 8 ? 8 / reader_type::group_emits : 1;
  const std::uint64_t tile_groups = std::uint64_t{blockDim.x} * groups;
  const std::uint64_t all_groups = (records + reader_type::group_records - 1) / reader_type::group_records;
  typename reader_type::bytes now[groups];
#pragma unroll
  for (unsigned i = 0; i < groups; ++i)
    now[i] = reader.load(first * tile_groups + i * blockDim.x + threadIdx.x);
  for (std::uint64_t tile = first; tile * tile_groups < all_groups; tile += step) {
    typename reader_type::bytes next[groups];
#pragma unroll
    for (unsigned i = 0; i < groups; ++i)
      next[i] = reader.load((tile + step) * tile_groups + i * blockDim.x + threadIdx.x);
    emits_in_registers<Task, groups * reader_type::group_emits> emits;
    reader.map_groups(now, tile * tile_groups + threadIdx.x, blockDim.x, emits);
    fold_all<groups * reader_type::group_emits>(queue, table, emits.keys, emits.values, emits.valid, reduce,
                                                spill);
#pragma unroll
    for (unsigned i = 0; i < groups; ++i) now[i] = next[i];
  }
}

}  // namespace impl

}  // namespace duomap::gpu
