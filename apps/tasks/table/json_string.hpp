// The escapes of JSON strings (RFC 8259, section 7), on any device.
#pragma once

#include "apps/tasks/table/json_character.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

/// The number of bytes of the escape at `at`, which is a backslash. A pair of surrogates is one escape. 0 if
/// JSON has no such escape.
[[nodiscard]] DUOMAP_HD inline std::uint64_t escape_size(byte_view text, std::uint64_t at) {
  if (at + 1 >= text.size) return 0;
  switch (text[at + 1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return 2;
    case 'u': {
      const unsigned unit = detail::json_code_unit(text, at + 2);
      if (unit > 0xFFFF || detail::is_low_surrogate(unit)) return 0;
      if (!detail::is_high_surrogate(unit)) return 6;
      const bool is_pair = at + 7 < text.size && text[at + 6] == '\\' && text[at + 7] == 'u' &&
                           detail::is_low_surrogate(detail::json_code_unit(text, at + 8));
      return is_pair ? 12 : 0;
    }
    default:
      return 0;
  }
}

/// Calls put(byte) for each byte of a string, whose escapes must be right. Characters that escapes stand for
/// become UTF-8. Returns false as soon as put() does, else true.
template <class Put>
[[nodiscard]] DUOMAP_HD bool decode_json(byte_view text, Put&& put) {
  for (std::uint64_t at = 0; at < text.size;) {
    if (text[at] != '\\') {
      if (!put(text[at++])) return false;
      continue;
    }
    const char kind = text[at + 1];
    if (kind != 'u') {
      const char byte = kind == 'b'   ? '\b'
                        : kind == 'f' ? '\f'
                        : kind == 'n' ? '\n'
                        : kind == 'r' ? '\r'
                        : kind == 't' ? '\t'
                                      : kind;
      if (!put(byte)) return false;
      at += 2;
      continue;
    }
    unsigned code = detail::json_code_unit(text, at + 2);
    at += 6;
    if (detail::is_high_surrogate(code)) {
      code = detail::joined_surrogates(code, detail::json_code_unit(text, at + 2));
      at += 6;
    }
    if (!detail::put_utf8(code, put)) return false;
  }
  return true;
}

/// -1, 0 or 1, as the decoded string is below, equal to or above `other` in the order of bytes.
[[nodiscard]] DUOMAP_HD inline int order_of_decoded(byte_view text, byte_view other) {
  std::uint64_t at = 0;
  int order = 0;
  const bool all = decode_json(text, [&](char byte) {
    const auto a = static_cast<unsigned char>(byte);
    const auto b = at < other.size ? static_cast<unsigned char>(other[at]) : 0u;
    order = at == other.size ? 1 : a < b ? -1 : a > b ? 1 : 0;
    ++at;
    return order == 0;
  });
  return all && at < other.size ? -1 : order;
}

/// Whether the decoded string has a line feed.
[[nodiscard]] DUOMAP_HD inline bool decodes_to_line_feed(byte_view text) {
  return !decode_json(text, [](char byte) { return byte != '\n'; });
}

}  // namespace duomap::apps
