// Compares and converts ASCII letters without regard to case. Bytes of 0x80 and more are no letters.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/copy.hpp"
#include "core/text/load.hpp"

#include <concepts>
#include <cstdint>

namespace duomap {

/// Makes an ASCII capital letter small. Other bytes stay.
[[nodiscard]] DUOMAP_HD constexpr char to_lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Does to_lower_ascii() for each byte of a word.
template <std::unsigned_integral Word>
[[nodiscard]] DUOMAP_HD constexpr Word to_lower_ascii(Word word) {
  constexpr Word ones = static_cast<Word>(~Word{0}) / 0xFF;  // 0x01 in each byte
  const Word ascii = word & ones * 0x7F;
  // Bit 7 of a byte is set if the byte is a capital letter: at least 'A', at most 'Z', and below 0x80. No
  // byte carries into the next one.
  const Word capital =
      (ascii + ones * (0x80 - 'A')) & ~(ascii + ones * (0x80 - 'Z' - 1)) & ~word & ones * 0x80;
  return word | capital >> 2;
}

/// Whether two texts are the same if the case of ASCII letters is ignored.
[[nodiscard]] DUOMAP_HD inline bool equal_ignoring_case(byte_view a, byte_view b) {
  if (a.size != b.size) return false;
  std::uint64_t i = 0;
  for (; i + 8 <= a.size; i += 8) {
    if (to_lower_ascii(load_eight(a.data + i)) != to_lower_ascii(load_eight(b.data + i))) return false;
  }
  const auto rest = static_cast<unsigned>(a.size - i);
  return to_lower_ascii(load_some(a.data + i, rest)) == to_lower_ascii(load_some(b.data + i, rest));
}

/// Copies a text to `to`, with small letters in place of ASCII capital letters. `to` has room for text.size
/// bytes and must not overlap the text.
DUOMAP_HD inline void copy_lower_ascii(char* to, byte_view text) {
  detail::copy_mapped(to, text, [](std::uint64_t word) { return to_lower_ascii(word); });
}

}  // namespace duomap
