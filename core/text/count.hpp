// Counts a byte in a text.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <bit>
#include <cstdint>

namespace duomap {

/// A word with bit 7 set in each byte in which `word` has `byte`. All other bits are 0.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t equal_byte_mask(std::uint64_t word, char byte) {
  constexpr std::uint64_t each = 0x0101010101010101u;
  const std::uint64_t differs = word ^ each * static_cast<unsigned char>(byte);
  // These additions never carry from a byte into the next one.
  return ~(((differs & each * 0x7F) + each * 0x7F) | differs) & each * 0x80;
}

/// The number of bytes of a word that are equal to `byte`.
[[nodiscard]] DUOMAP_HD inline std::uint32_t count_byte(std::uint64_t word, char byte) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popcll(equal_byte_mask(word, byte)));
#else
  return static_cast<std::uint32_t>(std::popcount(equal_byte_mask(word, byte)));
#endif
}

/// The number of bytes of a text that are equal to `byte`, which must not be NUL.
[[nodiscard]] DUOMAP_HD inline std::uint64_t count_byte(byte_view text, char byte) {
  std::uint64_t count = 0;
  std::uint64_t i = 0;
  for (; i + 8 <= text.size; i += 8) count += count_byte(load_eight(text.data + i), byte);
  return count + count_byte(load_some(text.data + i, static_cast<unsigned>(text.size - i)), byte);
}

}  // namespace duomap
