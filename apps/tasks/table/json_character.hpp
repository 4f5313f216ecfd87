// The characters that the \u escapes of JSON stand for, on any device.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps::detail {

/// The value of the four hexadecimal digits at `at`; 0x10000 for any other text.
[[nodiscard]] DUOMAP_HD inline unsigned json_code_unit(byte_view text, std::uint64_t at) {
  if (at + 4 > text.size) return 0x10000;
  unsigned value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned c = static_cast<unsigned char>(text[at + i]);
    const unsigned letter = (c | 0x20) - 'a';
    const unsigned digit = c - '0' <= 9 ? c - '0' : letter < 6 ? letter + 10 : 16;
    if (digit > 15) return 0x10000;
    value = value << 4 | digit;
  }
  return value;
}

[[nodiscard]] DUOMAP_HD constexpr bool is_high_surrogate(unsigned unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
[[nodiscard]] DUOMAP_HD constexpr bool is_low_surrogate(unsigned unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

/// The character of a pair of surrogates.
[[nodiscard]] DUOMAP_HD constexpr unsigned joined_surrogates(unsigned high, unsigned low) {
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/// Calls put(byte) for each byte of a character in UTF-8. Returns false as soon as put() does.
template <class Put>
[[nodiscard]] DUOMAP_HD bool put_utf8(unsigned code, Put&& put) {
  if (code < 0x80) return put(static_cast<char>(code));
  unsigned shift = code < 0x800 ? 6 : code < 0x10000 ? 12 : 18;
  const unsigned lead = code < 0x800 ? 0xC0 : code < 0x10000 ? 0xE0 : 0xF0;
  if (!put(static_cast<char>(lead | code >> shift))) return false;
  while (shift > 0) {
    shift -= 6;
    if (!put(static_cast<char>(0x80 | (code >> shift & 0x3F)))) return false;
  }
  return true;
}

}  // namespace duomap::apps::detail
