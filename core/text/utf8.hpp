// Finds the end of a character of UTF-8. Tells which characters may be sent to a terminal.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// The length in bytes of the well-formed character at `i`; 0 if there is none.
[[nodiscard]] constexpr std::uint64_t utf8_length(byte_view text, std::uint64_t i) {
  const auto byte_at = [&](std::uint64_t at) {
    return static_cast<std::uint8_t>(text[at]);
  };
  const auto continues = [&](std::uint64_t at) {
    return at < text.size && (byte_at(at) & 0xC0U) == 0x80U;
  };
  const std::uint8_t lead = byte_at(i);
  if (lead < 0x80) return 1;
  if (!continues(i + 1)) return 0;
  // The range of the second byte leaves out overlong forms, surrogates and values that are too large.
  const std::uint8_t second = byte_at(i + 1);
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second_fits = lead == 0xE0 ? second >= 0xA0 : lead == 0xED ? second <= 0x9F : true;
    return second_fits && continues(i + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second_fits = lead == 0xF0 ? second >= 0x90 : lead == 0xF4 ? second <= 0x8F : true;
    return second_fits && continues(i + 2) && continues(i + 3) ? 4 : 0;
  }
  return 0;
}

/// The length in bytes of the character at `i`. It is 0 for bytes that are no character, and for control
/// characters: those of ASCII, and those from U+0080 to U+009F, which some terminals obey.
[[nodiscard]] constexpr std::uint64_t printable_length(byte_view text, std::uint64_t i) {
  const std::uint64_t length = utf8_length(text, i);
  const auto lead = static_cast<std::uint8_t>(text[i]);
  if (length == 1 && (lead < 0x20 || lead == 0x7F)) return 0;
  if (length == 2 && lead == 0xC2 && static_cast<std::uint8_t>(text[i + 1]) < 0xA0) return 0;
  return length;
}

}  // namespace duomap
