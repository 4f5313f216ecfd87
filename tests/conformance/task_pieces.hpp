// Declares small functions that several tasks of the contract use.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/record/lines.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace duomap::test {

/// A number that depends on every byte of the text.
[[nodiscard]] DUOMAP_HD inline std::uint64_t mix(byte_view text) {
  std::uint64_t h = 0x100 + text.size;
  for (std::uint64_t i = 0; i < text.size; ++i)
    h = (h ^ static_cast<unsigned char>(text[i])) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 31;
}

/// The first `N` bytes of a text; zeros follow a shorter text.
template <std::size_t N>
[[nodiscard]] DUOMAP_HD std::array<char, N> head(byte_view text) {
  std::array<char, N> bytes{};
  for (std::uint64_t i = 0; i < N && i < text.size; ++i) bytes[i] = text[i];
  return bytes;
}

/// The place of a line in the whole input.
[[nodiscard]] DUOMAP_HD inline std::uint64_t place_of(const line& l) {
  return std::uint64_t{l.source} << 40 | l.offset;
}

}  // namespace duomap::test
