// The table of a block, in shared memory: combines what occurs often before it reaches the device's table.
#pragma once

#include "core/chunk.hpp"
#include "gpu/object/device_table.hpp"
#include "gpu/object/key_bytes.hpp"
#include "gpu/object/value_cell.hpp"

#include <cstdint>

namespace duomap::gpu {

/// What a block has used of its grant, and what its table will still need of it when it is emptied. In shared
/// memory.
struct block_usage {
  unsigned long long new_keys;  ///< in the device's table or in the block's
  unsigned long long new_pool_bytes;
};

/// A key of more than seven bytes inside the chunk as one word: a flag, 16 bits of its hash, its length, its
/// place in the chunk. A place takes 32 bits and a length 15; longer and later keys are not kept in a block's
/// table.
struct chunk_key {
  static constexpr std::uint64_t max_size = (std::uint64_t{1} << 15) - 1;
  static constexpr std::uint64_t max_offset = (std::uint64_t{1} << 32) - 1;

  [[nodiscard]] __device__ static std::uint64_t word(std::uint64_t hash, std::uint64_t size,
                                                     std::uint64_t offset) {
    return long_flag | hash >> 48 << 47 | size << 32 | offset;
  }
  /// Whether two words agree in all but the place: flag, hash bits and length. The bytes decide what they
  /// then are.
  [[nodiscard]] __device__ static bool may_be_same(std::uint64_t a, std::uint64_t b) {
    return a >> 32 == b >> 32;
  }
  [[nodiscard]] __device__ static byte_view bytes(std::uint64_t word, const char* chunk) {
    return {chunk + (word & max_offset), word >> 32 & max_size};
  }
};

/// Views of the block's shared memory. Keys stay where they were claimed until the block is done; when the
/// neighbourhood of a key's home slot is taken by others, fold() says no and the emit goes to the device's
/// table.
template <reduction R>
struct block_table {
  using value_type = typename R::value_type;
  using cell = value_cell<R, sharing::block>;

  static constexpr unsigned probes = 6;
  /// Shared memory per slot.
  static constexpr std::uint64_t slot_bytes = sizeof(unsigned long long) + sizeof(cell);

  unsigned long long* words;
  cell* cells;
  unsigned slots;    // a power of two
  unsigned* filled;  // slots taken; no more than three quarters are
  const char* chunk;

  /// By all threads of the block; a barrier must follow.
  __device__ void clear(const R& reduce) const {
    for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) {
      words[i] = 0;
      cells[i].clear(reduce);
    }
    if (threadIdx.x == 0) *filled = 0;
  }

  enum class outcome { full, known, claimed };

  /// Folds a value into the key of `word` (a short word, or a chunk_key's), by the masked hash. same(other)
  /// says whether a different word stands for the same key.
  template <class Same>
  [[nodiscard]] __device__ outcome fold(std::uint64_t word, std::uint64_t masked_hash,
                                        const value_type& value, const R& reduce, const Same& same) const {
    unsigned slot = static_cast<unsigned>(masked_hash >> 32) & (slots - 1);
    outcome how = outcome::full;
    // The loop only finds the slot: lanes leave it at different times, and what they do next they should do
    // together.
#pragma unroll 1
    for (unsigned probe = 0; probe < probes; ++probe, slot = (slot + 1) & (slots - 1)) {
      std::uint64_t found = *const_cast<volatile unsigned long long*>(words + slot);
      if (found == 0) {
        if (*const_cast<volatile unsigned*>(filled) >= slots / 4 * 3) break;
        found = atomicCAS(words + slot, 0ull, static_cast<unsigned long long>(word));
        if (found == 0) {
          how = outcome::claimed;
          break;
        }
      }
      if (found == word || same(found)) {
        how = outcome::known;
        break;
      }
    }
    if (how == outcome::full) return how;
    if (how == outcome::claimed) atomicAdd(filled, 1u);
    cells[slot].fold(value, reduce);
    return how;
  }
};

}  // namespace duomap::gpu
