// Combines frequent keys in a table in shared memory, before they reach the device's table. The warps of a
// block, or a group of them, share the table.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/hash/block_cell.cuh"
#include "gpu/record/key_bytes.hpp"

#include <cstdint>

namespace duomap::gpu {

/// A key of more than seven bytes inside the chunk, as one word: a flag, 16 bits of its hash, its length (15
/// bits), and its place in the chunk (32 bits). Longer keys, and keys further on in the chunk, stay out of a
/// block's table.
struct chunk_key {
  static constexpr std::uint64_t max_size = (std::uint64_t{1} << 15) - 1;
  static constexpr std::uint64_t max_offset = (std::uint64_t{1} << 32) - 1;

  [[nodiscard]] __device__ static bool can_hold(std::uint64_t size, std::uint64_t offset) {
    return size <= max_size && offset <= max_offset;
  }
  [[nodiscard]] __device__ static std::uint64_t word(std::uint64_t hash, std::uint64_t size,
                                                     std::uint64_t offset) {
    return long_flag | hash >> 48 << 47 | size << 32 | offset;
  }
  /// Whether two words agree in the flag, the hash bits and the length. If so, the keys' bytes must be
  /// compared.
  [[nodiscard]] __device__ static bool may_be_same(std::uint64_t a, std::uint64_t b) {
    return a >> 32 == b >> 32;
  }
  [[nodiscard]] __device__ static byte_view bytes(std::uint64_t word, const char* chunk) {
    return {chunk + (word & max_offset), word >> 32 & max_size};
  }
};

/// Pointers to a table in the block's shared memory. A key may stand in one of four slots, which are two
/// neighbouring pairs; one load reads its home pair. Keys keep their slots until the block is done. A key
/// that finds its four slots taken goes to the device's table.
template <reduction R>
struct block_table {
  using value_type = typename R::value_type;
  using cell = block_cell<R>;

  static constexpr std::uint64_t slot_bytes = sizeof(unsigned long long) + sizeof(cell);
  static constexpr unsigned none = ~0u;

  unsigned long long* words;  // aligned to 16 bytes
  cell* cells;
  unsigned slots;  // a multiple of four; 0: no table, and no key may be looked up

  /// Called by all threads of the block; a barrier must follow.
  __device__ void clear(const R& reduce) const {
    for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) {
      words[i] = 0;
      cells[i].clear(reduce);
    }
  }

  /// A 32-bit hash of a short word, which decides the word's home. It takes two multiplications; the hash of
  /// the device's table takes twelve instructions. Two words with the same hash here seldom collide in the
  /// device's table.
  [[nodiscard]] __device__ static unsigned hash_of_short(std::uint64_t word) {
    const auto low = static_cast<unsigned>(word);
    const auto high = static_cast<unsigned>(word >> 32);
    return (low ^ high * 0x85EBCA77u) * 0x9E3779B1u;
  }

  /// Returns the slot of the home pair that holds a short word, else none. It may miss a word for which
  /// another thread is claiming the slot.
  [[nodiscard]] __device__ unsigned find_at_home(std::uint64_t word, unsigned hash) const {
    const unsigned home = home_of(hash);
    const ulonglong2 pair = *reinterpret_cast<const ulonglong2*>(words + home);
    if (pair.x == word) return home;
    return pair.y == word ? home + 1 : none;
  }

  struct place {
    unsigned slot;  ///< the key's slot, or none
    bool claimed;   ///< this call has claimed the slot
  };

  /// Finds the slot of the key that `word` stands for (a short word, or the word of a chunk_key). If the key
  /// has no slot, claims a free one. same(other) says whether a different word stands for the same key.
  template <class Same>
  [[nodiscard]] __device__ place find_or_claim(std::uint64_t word, unsigned hash, const Same& same) const {
    const unsigned home = home_of(hash);
    place result{none, false};
    // The loop only finds the slot. Lanes leave the loop at different times, and should execute the next
    // steps together.
#pragma unroll 1
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned slot = home ^ i;
      std::uint64_t found = *const_cast<volatile unsigned long long*>(words + slot);
      if (found == 0) {
        found = atomicCAS(words + slot, 0ull, static_cast<unsigned long long>(word));
        result.claimed = found == 0;
      }
      if (result.claimed || found == word || same(found)) {
        result.slot = slot;
        break;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] __device__ unsigned home_of(unsigned hash) const { return 2 * __umulhi(hash, slots / 2); }
};

}  // namespace duomap::gpu
