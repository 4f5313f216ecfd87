// Owns the bytes of long keys. Keys are added but never removed or moved, and need no allocation of their
// own.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/memory_reservation.hpp"
#include "core/zeroed_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace duomap {

/// Stores keys, each behind its 64-bit length, in blocks that double from 4 KiB to 1 MiB. A larger key gets a
/// block of its own. Takes the blocks from the budget `memory`. One thread at a time may add keys; any thread
/// may read the stored keys afterwards.
class key_arena {
 public:
  explicit key_arena(shared_budget memory = nullptr) : share_(std::move(memory)) {}

  /// Copies `key` and returns the address of the copy, which is valid as long as the arena lives.
  const char* store(byte_view key) {
    const std::uint64_t needed = sizeof(std::uint64_t) + key.size;
    if (needed > free_) add_block(needed);
    char* at = next_;
    std::memcpy(at, &key.size, sizeof(std::uint64_t));
    std::memcpy(at + sizeof(std::uint64_t), key.data, key.size);
    next_ += needed;
    free_ -= needed;
    return at + sizeof(std::uint64_t);
  }

  /// Takes over a block that has keys already, each behind its 64-bit length.
  void adopt(zeroed_memory block) {
    capacity_ += block.get_deleter().bytes;
    adopted_.push_back(std::move(block));
  }

  /// Bytes allocated.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

 private:
  void add_block(std::uint64_t needed) {
    const std::uint64_t size = std::max(needed, block_bytes_);
    share_.take(size, "the bytes of long keys");
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = blocks_.back().get();
    free_ = size;
    capacity_ += size;
    block_bytes_ = std::min<std::uint64_t>(block_bytes_ * 2, std::uint64_t{1} << 20);
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::vector<zeroed_memory> adopted_;
  char* next_ = nullptr;
  std::uint64_t free_ = 0;
  std::uint64_t capacity_ = 0;
  std::uint64_t block_bytes_ = torture ? 16 : 4096;
  memory_reservation share_;  // bytes of the blocks, from the run's budget
};

/// Makes a compact_key of any bytes. If they are long, `arena` gets a copy of them.
[[nodiscard]] inline compact_key store_bytes(byte_view bytes, key_arena& arena) {
  if (bytes.size <= compact_key::max_inline) return compact_key::of_short(bytes);
  return compact_key::of_stored(hash_long(bytes), arena.store(bytes));
}

}  // namespace duomap
