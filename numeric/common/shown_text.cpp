// Escapes the bytes of a text for messages.
#include "numeric/common/shown_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace duomap {

std::string shown(byte_view text) {
  constexpr std::uint64_t most = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string plain = "'";
  for (const char byte : text.sub(0, std::min(text.size, most))) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte >= ' ' && byte <= '~') {
      plain += byte;
    } else {
      plain += "\\x";
      plain += digits[code >> 4U];
      plain += digits[code & 0xFU];
    }
  }
  return plain + (text.size > most ? "...'" : "'");
}

}  // namespace duomap
