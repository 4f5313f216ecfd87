// Numbers with a decimal comma: "1234,5".
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps::comma_number {

/// The most bytes of a number.
inline constexpr std::uint64_t most_bytes = 64;
/// Functions read the byte in front of a text, and some behind it.
inline constexpr std::uint64_t room = 1 + most_bytes + read_padding;

/// Copies a number to `made`, which has `room` bytes, with a point for its comma. A text that has a point, or
/// more than most_bytes bytes, is no number, and gives ",", which is none either.
[[nodiscard]] DUOMAP_HD inline byte_view with_point(byte_view text, char* made) {
  *made++ = ' ';
  for (std::uint64_t i = 0; i < text.size; ++i) {
    if (i == most_bytes || text[i] == '.') {
      made[0] = ',';
      return {made, 1};
    }
    made[i] = text[i] == ',' ? '.' : text[i];
  }
  return {made, text.size};
}

}  // namespace duomap::apps::comma_number
