// Folds a range of records into a block's table.
#pragma once

#include "gpu/engines/hash_partitioned/bucket_table.cuh"
#include "gpu/engines/hash_partitioned/record_reader.cuh"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace duomap::gpu {

template <class Bits>
struct table_shape {
  std::uint32_t slots = 0;
  unsigned replica_bits = 0;
  unsigned skip_bits =
      0;  ///< leading bits of the spread that all keys of the table share, because they are in one partition
  empty_marks<Bits> marks{};
};

template <class Bits, reduction R>
[[nodiscard]] table_shape<Bits> make_table_shape(std::uint32_t slots, unsigned replica_bits,
                                                 unsigned skip_bits) {
  return {slots, replica_bits, skip_bits,
          make_marks<Bits>([=](Bits key) { return scale(spread(key) << skip_bits, slots / 2); })};
}

/// Bytes of dynamic shared memory for a table and its queues.
template <class Bits, reduction R>
[[nodiscard]] std::uint64_t table_shared_bytes(const table_shape<Bits>& shape, unsigned threads) {
  using table = bucket_table<Bits, R>;
  return threads / 32 * queue_entries * sizeof(typename warp_queue<Bits, R>::stored) +
         shape.slots * sizeof(Bits) +
         (std::uint64_t{shape.slots} << shape.replica_bits) * sizeof(typename table::cell);
}

namespace detail {

inline constexpr unsigned most_table_threads = 1024;

/// The table of a partition, behind the queues of all warps in dynamic shared memory.
template <class Bits, reduction R>
[[nodiscard]] __device__ bucket_table<Bits, R> table_in(uint4* dynamic_memory, const table_shape<Bits>& shape,
                                                        std::uint32_t partition, unsigned* filled) {
  using table = bucket_table<Bits, R>;
  auto* const bytes = reinterpret_cast<unsigned char*>(dynamic_memory);
  auto* const keys = reinterpret_cast<Bits*>(bytes + blockDim.x / 32 * queue_entries *
                                                         sizeof(typename warp_queue<Bits, R>::stored));
  return {keys,
          reinterpret_cast<typename table::cell*>(keys + shape.slots),
          shape.slots,
          shape.replica_bits,
          shape.slots / 2 << shape.skip_bits,
          shape.slots / 2 * partition,
          shape.marks,
          filled};
}
template <class Bits, reduction R>
[[nodiscard]] __device__ warp_queue<Bits, R> queue_in(uint4* dynamic_memory) {
  using stored = typename warp_queue<Bits, R>::stored;
  return warp_queue<Bits, R>(reinterpret_cast<stored*>(dynamic_memory) + threadIdx.x / 32 * queue_entries);
}

/// The number of emits that fold() takes at a time.
[[nodiscard]] consteval unsigned batch_of(unsigned count) {
  return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
}

template <unsigned Count, class Bits, reduction R, class Spill>
__device__ void fold_all(warp_queue<Bits, R>& queue, const bucket_table<Bits, R>& table, const Bits* keys,
                         const typename R::value_type* values, std::uint32_t valid, const R& reduce,
                         const Spill& spill) {
  constexpr unsigned batch = batch_of(Count);
#pragma unroll
  for (unsigned i = 0; i < Count; i += batch)
    queue.template fold<batch>(table, keys + i, values + i, valid >> i, reduce, spill);
}

/// The number of groups of records that a thread loads for a tile, at most eight. Their emits take 128 bytes
/// of the thread's registers.
template <class Reader>
inline constexpr unsigned groups_in_tile = std::max(1u,
                                                    std::bit_floor(std::min(8u, 128 / Reader::emit_bytes)) /
                                                        Reader::group_emits);

/// Folds all records by whole blocks. Block `first` of `step` blocks takes the tiles `first`, `first + step`
/// and so on, and reads the next tile while it folds one. All blocks share the records that do not fill a
/// tile.
template <class Reader, class Bits, reduction R, class Spill>
__device__ void fold_records(const Reader& reader, std::uint64_t records, unsigned first, unsigned step,
                             warp_queue<Bits, R>& queue, const bucket_table<Bits, R>& table, const R& reduce,
                             const Spill& spill) {
  using task = typename Reader::task;
  constexpr unsigned groups = groups_in_tile<Reader>;
  const std::uint64_t tile_groups = std::uint64_t{blockDim.x} * groups;
  const std::uint64_t tiles = records / (tile_groups * Reader::group_records);
  const unsigned mine = threadIdx.x / 32 * 32 * groups + threadIdx.x % 32;
  typename Reader::bytes read[groups];
  if (first < tiles) reader.load(first * tile_groups + mine, read);
  for (std::uint64_t tile = first; tile < tiles; tile += step) {
    emits_in_registers<task, groups * Reader::group_emits> emits;
    reader.map(tile * tile_groups + mine, read, emits);
    if (tile + step < tiles) reader.load((tile + step) * tile_groups + mine, read);
    fold_all<groups * Reader::group_emits>(queue, table, emits.keys, emits.values, emits.valid, reduce,
                                           spill);
  }
  for (std::uint64_t i = tiles * tile_groups * Reader::group_records + first * blockDim.x + threadIdx.x;
       i - threadIdx.x % 32 < records; i += std::uint64_t{step} * blockDim.x) {
    // Lanes behind the end map the last record again and drop its emits, because the first probe needs a key
    // of this table's partition.
    register_emitter<task> emit;
    reader.map_one(min(i, records - 1), emit);
    const unsigned emits = i < records ? min(emit.count, register_emitter<task>::most) : 0;
    const std::uint32_t valid = (1u << emits) - 1;
    fold_all<register_emitter<task>::most>(queue, table, emit.keys, emit.values, valid, reduce, spill);
  }
}

}  // namespace detail

}  // namespace duomap::gpu
