// Compares compact keys, on the host and on the device. host safe
#pragma once

#include "core/compact_key.hpp"

#include <bit>
#include <cstdint>

namespace duomap::gpu {

/// Bytes that a key or a value of `size` bytes takes beside its compact_key: its length and its bytes, padded
/// with zeros to whole words. 0 if the compact_key holds all bytes.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t stored_bytes_of(std::uint64_t size) {
  return size <= compact_key::max_inline ? 0 : 8 + (size + 7) / 8 * 8;
}

/// Returns a negative number, 0 or a positive number if `a` comes before, equals, or comes behind `b`. The
/// order is total on key bytes and has no other meaning. The bytes of long keys must be readable here, in the
/// form of stored_bytes_of(), so that whole words can be compared. Hardly any two of a few thousand keys that
/// share 32 bits of their hash share all 64, so in practice bytes are compared only for equal keys.
[[nodiscard]] DUOMAP_HD inline int compare_keys(const compact_key& a, const compact_key& b) {
  struct words {
    std::uint64_t lo, hi;
  };
  const auto order = [](std::uint64_t x, std::uint64_t y) {
    return x < y ? -1 : static_cast<int>(x > y);
  };
  const auto left = std::bit_cast<words>(a);
  const auto right = std::bit_cast<words>(b);
  if (left.lo != right.lo) return order(left.lo, right.lo);
  if (left.hi == right.hi) return 0;
  if (a.is_short() || b.is_short()) return order(left.hi, right.hi);
  const byte_view here = a.bytes();
  const byte_view there = b.bytes();
  if (here.size != there.size) return order(here.size, there.size);
  for (std::uint64_t i = 0; i < here.size; i += 8) {
    const std::uint64_t x = duomap::detail::load_word(here.data + i);
    const std::uint64_t y = duomap::detail::load_word(there.data + i);
    if (x != y) return order(x, y);
  }
  return 0;
}

}  // namespace duomap::gpu
