// Compares texts by their bytes, eight at a time.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <cstdint>

namespace duomap {

/// Whether `size` bytes at `a` and at `b` are the same.
[[nodiscard]] DUOMAP_HD inline bool equal_bytes(const char* a, const char* b, std::uint64_t size) {
  std::uint64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    if (load_eight(a + i) != load_eight(b + i)) return false;
  }
  const auto rest = static_cast<unsigned>(size - i);
  return load_some(a + i, rest) == load_some(b + i, rest);
}

/// Whether two texts have the same bytes.
[[nodiscard]] DUOMAP_HD inline bool equal(byte_view a, byte_view b) {
  return a.size == b.size && equal_bytes(a.data, b.data, a.size);
}

[[nodiscard]] DUOMAP_HD inline bool operator==(byte_view a, byte_view b) { return equal(a, b); }

[[nodiscard]] DUOMAP_HD inline bool starts_with(byte_view text, byte_view beginning) {
  return text.size >= beginning.size && equal_bytes(text.data, beginning.data, beginning.size);
}

/// Negative if `a` comes before `b`, 0 if they are equal, positive if `a` comes behind `b`. Bytes are
/// compared as unsigned numbers. A text comes before a longer text that begins with it.
[[nodiscard]] DUOMAP_HD inline int compare(byte_view a, byte_view b) {
  const std::uint64_t size = a.size < b.size ? a.size : b.size;
  for (std::uint64_t i = 0; i < size; i += 8) {
    const std::uint64_t left = size - i;
    const std::uint64_t in_a =
        left < 8 ? load_some(a.data + i, static_cast<unsigned>(left)) : load_eight(a.data + i);
    const std::uint64_t in_b =
        left < 8 ? load_some(b.data + i, static_cast<unsigned>(left)) : load_eight(b.data + i);
    if (in_a != in_b) {
      const unsigned first = 8 * zero_bytes_below(in_a ^ in_b);
      return (in_a >> first & 0xFF) < (in_b >> first & 0xFF) ? -1 : 1;
    }
  }
  return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

}  // namespace duomap
