// Checks whether bytes are UTF-8.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap::python {

/// Whether a text is UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] inline bool is_utf8(byte_view text) {
  const auto byte = [&](std::uint64_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  for (std::uint64_t i = 0; i < text.size;) {
    const unsigned first = byte(i++);
    if (first < 0x80) continue;
    if (first < 0xC2 || first > 0xF4) return false;
    const unsigned more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (text.size - i < more) return false;
    const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(i) < least || byte(i) > most) return false;
    for (unsigned k = 1; k < more; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return false;
    }
    i += more;
  }
  return true;
}

}  // namespace duomap::python
