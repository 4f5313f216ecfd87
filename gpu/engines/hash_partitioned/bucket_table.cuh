// Defines a block's large table in shared memory, and the queues that let its warps work together.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/hash/field_cell.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"

#include <cstdint>
#include <cstring>

namespace duomap::gpu {

/// Two keys that one load reads.
template <class Bits>
struct key_bucket {
  Bits first;
  Bits second;
};

[[nodiscard]] __device__ inline key_bucket<unsigned int> load_bucket(const unsigned int* at) {
  key_bucket<unsigned int> found;
  asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(found.first), "=r"(found.second)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(at))));
  return found;
}
[[nodiscard]] __device__ inline key_bucket<unsigned long long> load_bucket(const unsigned long long* at) {
  key_bucket<unsigned long long> found;
  asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
               : "=l"(found.first), "=l"(found.second)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(at))));
  return found;
}

/// The number of buckets that the unrolled code for each emit probes. With 58 % of the slots filled, three
/// buckets find all but 3 of 100 keys. More buckets take longer.
inline constexpr unsigned unrolled_probes = 3;

/// An entry without padding, so that queues leave more memory for tables.
template <class Bits, class V>
struct queued_entry {
  unsigned words[(sizeof(Bits) + sizeof(V) + 3) / 4];

  queued_entry() = default;
  __device__ explicit queued_entry(const key_value<Bits, V>& one) {
    memcpy(words, &one.key, sizeof(Bits));
    memcpy(words + sizeof(Bits) / 4, &one.value, sizeof(V));
  }
  [[nodiscard]] __device__ key_value<Bits, V> entry() const {
    key_value<Bits, V> one;
    memcpy(&one.key, words, sizeof(Bits));
    memcpy(&one.value, words + sizeof(Bits) / 4, sizeof(V));
    return one;
  }
};

/// Room in a warp's queue: at most 31 entries between two calls of fold(), and 32 more within a call.
inline constexpr unsigned queue_entries = 64;

/// Open addressing in buckets of two keys. A key has 2^replica_bits cells, which lanes take in turn, so that
/// with few keys not all lanes wait for the same cell.
///
/// The unrolled code for each emit probes the first buckets only. An emit whose key is not there goes to the
/// warp's queue, and all lanes place 32 queued entries together. A plain
/// probe loop took 4.7 times as long with 2^28 emits of 100 keys, because lanes that leave such a loop at
/// different times execute the rest of the kernel one after the other.
template <class Bits, reduction R>
struct bucket_table {
  using value_type = typename R::value_type;
  using cell = field_cell<R, thread_scope::block>;
  using entry = key_value<Bits, value_type>;

  Bits* keys = nullptr;     // in shared memory, aligned to 16 bytes
  cell* cells = nullptr;    // in shared memory
  std::uint32_t slots = 0;  ///< even; at least two buckets
  unsigned replica_bits = 0;
  // All keys of a partition share the leading bits of their spread. So the table computes a key's bucket
  // among the buckets of all partitions and subtracts first_bucket, which is cheaper than shifting each
  // spread.
  std::uint32_t total_buckets = 0;  ///< buckets of all partitions
  std::uint32_t first_bucket = 0;   ///< the first bucket of this partition
  empty_marks<Bits> marks{};
  unsigned* filled = nullptr;  // in shared memory

  /// Buckets that place() tries for a key before it spills the entry.
  static constexpr unsigned most_probes = 32;

  [[nodiscard]] __device__ std::uint32_t bucket_of(Bits key) const {
    return scale(spread(key), total_buckets) - first_bucket;
  }

  [[nodiscard]] __device__ bool is_occupied(std::uint32_t slot) const {
    return keys[slot] != marks.at(slot / 2);
  }

  /// Called by all threads; a barrier must follow.
  __device__ void clear(const R& reduce) const {
    for (std::uint32_t i = threadIdx.x; i < slots; i += blockDim.x) keys[i] = marks.at(i / 2);
    for (std::uint32_t i = threadIdx.x; i < slots << replica_bits; i += blockDim.x) cells[i].clear(reduce);
    if (threadIdx.x == 0) *filled = 0;
  }

  /// Reduces the cells of an occupied slot to one value.
  [[nodiscard]] __device__ value_type read(std::uint32_t slot, const R& reduce) const {
    const cell* const mine = cells + (slot << replica_bits);
    value_type all = mine[0].read();
    for (unsigned i = 1; i < 1u << replica_bits; ++i) all = reduce(all, mine[i].read());
    return all;
  }

  /// Places up to 32 entries, one for each active lane. spill(entry, has_one) takes the entries for which
  /// there is no room. Called by whole warps.
  template <class Spill>
  __device__ void place(const entry& one, bool active, const R& reduce, const Spill& spill) const {
    std::uint32_t bucket = bucket_of(one.key);
    bool waits = active;
    // A key that marks empty slots may only stand in its home bucket.
    bool may_move = !marks.contains(one.key);
#pragma unroll 1
    for (unsigned probe = 0; probe < most_probes; ++probe) {
      if (!__any_sync(~0u, waits && (probe == 0 || may_move))) break;
      const bool looks = waits && (probe == 0 || may_move);
      std::uint32_t found_at = ~std::uint32_t{0};
      if (looks) {
        key_bucket<Bits> found = load_bucket(keys + 2 * bucket);
        const Bits empty = marks.at(bucket);
        if (found.first == empty) found.first = claim(2 * bucket, empty, one.key);
        if (found.first == one.key) {
          found_at = 2 * bucket;
        } else {
          if (found.second == empty) found.second = claim(2 * bucket + 1, empty, one.key);
          if (found.second == one.key) found_at = 2 * bucket + 1;
        }
      }
      __syncwarp();
      if (found_at != ~std::uint32_t{0}) {
        cells[(found_at << replica_bits) + replica()].fold(one.value, reduce);
        waits = false;
      }
      __syncwarp();
      if (++bucket == slots / 2) bucket = 0;
    }
    spill(one, waits);
  }

  [[nodiscard]] __device__ unsigned replica() const { return threadIdx.x & ((1u << replica_bits) - 1); }

 private:
  [[nodiscard]] __device__ Bits claim(std::uint32_t slot, Bits empty, Bits key) const {
    const Bits before = atomicCAS(keys + slot, empty, key);
    if (before != empty) return before;
    atomicAdd(filled, 1u);
    return key;
  }
};

/// A warp's queue of entries, and the fold that fills it.
template <class Bits, reduction R>
class warp_queue {
  using table_type = bucket_table<Bits, R>;
  using entry = typename table_type::entry;
  using value_type = typename R::value_type;

 public:
  using stored = queued_entry<Bits, value_type>;

  /// `entries` has room for queue_entries entries, in shared memory.
  __device__ explicit warp_queue(stored* entries) : entries_(entries) {}

  /// Each lane passes `Count` emits; those whose bit in `valid` is set are folded. Called by whole warps.
  template <unsigned Count, class Spill>
  __device__ void fold(const table_type& table, const Bits* keys, const value_type* values,
                       std::uint32_t valid, const R& reduce, const Spill& spill) {
    std::uint32_t buckets[Count];
    key_bucket<Bits> found[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      buckets[i] = table.bucket_of(keys[i]);
      found[i] = load_bucket(table.keys + 2 * buckets[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const bool counts = (valid >> i & 1) != 0;
      bool is_second = found[i].second == keys[i];
      bool is_known = found[i].first == keys[i] || is_second;
#pragma unroll
      for (unsigned probe = 1; probe < unrolled_probes; ++probe) {
        if (counts && !is_known) {
          if (++buckets[i] == table.slots / 2) buckets[i] = 0;
          const key_bucket<Bits> next = load_bucket(table.keys + 2 * buckets[i]);
          is_second = next.second == keys[i];
          is_known = (next.first == keys[i] || is_second) && !table.marks.contains(keys[i]);
        }
      }
      // The address is computed before the test, so that a predicate can replace a branch.
      const std::uint32_t slot = 2 * buckets[i] + (is_second ? 1 : 0);
      auto* const cell = table.cells + ((slot << table.replica_bits) + table.replica());
      if (counts && is_known) cell->fold(values[i], reduce);
      put_aside({keys[i], values[i]}, counts && !is_known, table, reduce, spill);
    }
  }

  /// Places the entries that are left in the queue. Called by whole warps.
  template <class Spill>
  __device__ void empty(const table_type& table, const R& reduce, const Spill& spill) {
    const unsigned lane = threadIdx.x % 32;
    const entry last = entries_[lane < count_ ? lane : 0].entry();
    __syncwarp();
    table.place(last, lane < count_, reduce, spill);
    count_ = 0;
  }

 private:
  template <class Spill>
  __device__ void put_aside(const entry& one, bool has_one, const table_type& table, const R& reduce,
                            const Spill& spill) {
    const unsigned votes = __ballot_sync(~0u, has_one);
    if (votes == 0) return;
    const unsigned lane = threadIdx.x % 32;
    if (has_one) entries_[count_ + static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)))] = stored(one);
    count_ += static_cast<unsigned>(__popc(votes));
    __syncwarp();
    if (count_ < 32) return;
    count_ -= 32;
    const entry mine = entries_[count_ + lane].entry();
    __syncwarp();
    table.place(mine, true, reduce, spill);
  }

  stored* entries_;
  unsigned count_ = 0;
};

}  // namespace duomap::gpu
