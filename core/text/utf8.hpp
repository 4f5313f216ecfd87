// Finds the ends of characters of UTF-8, and the characters that a terminal may get.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// The length of the well-formed character at `i`; 0 when there is none.
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
  // The second byte's range excludes overlong forms, surrogates and too large values.
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

/// The length of a character that a terminal may get; 0 for control characters of ASCII and for those from
/// U+0080 to U+009F, which some terminals obey, too.
[[nodiscard]] constexpr std::uint64_t printable_length(byte_view text, std::uint64_t i) {
  const std::uint64_t length = utf8_length(text, i);
  const auto lead = static_cast<std::uint8_t>(text[i]);
  if (length == 1 && (lead < 0x20 || lead == 0x7F)) return 0;
  if (length == 2 && lead == 0xC2 && static_cast<std::uint8_t>(text[i + 1]) < 0xA0) return 0;
  return length;
}

}  // namespace duomap
