// Counting a byte in a text.
#pragma once

#include "core/config.hpp"

#include <bit>
#include <cstdint>

namespace duomap {

/// How many bytes of a word are `byte`.
[[nodiscard]] DUOMAP_HD inline std::uint32_t count_byte(std::uint64_t word, char byte) {
  constexpr std::uint64_t each = 0x0101010101010101u;
  const std::uint64_t differs = word ^ each * static_cast<unsigned char>(byte);
  // Bit 7 of every byte that differs; no byte carries into the next.
  const std::uint64_t tops = (((differs & each * 0x7F) + each * 0x7F) | differs) & each * 0x80;
#if defined(__CUDA_ARCH__)
  return 8 - static_cast<std::uint32_t>(__popcll(tops));
#else
  return 8 - static_cast<std::uint32_t>(std::popcount(tops));
#endif
}

}  // namespace duomap
