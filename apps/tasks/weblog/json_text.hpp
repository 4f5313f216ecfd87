// Finds and decodes JSON strings.
// host only
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace duomap::apps {

namespace detail {

/// The value of the four hexadecimal digits at `at`; more than 0xFFFF for any other text.
[[nodiscard]] inline unsigned json_code_unit(byte_view text, std::uint64_t at) {
  if (at + 4 > text.size) return 0x10000;
  unsigned value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (hex_value(text[at + i]) > 15) return 0x10000;
    value = value << 4 | hex_value(text[at + i]);
  }
  return value;
}

inline void append_utf8(unsigned code, std::string& to) {
  const auto put = [&to](unsigned byte) {
    to += static_cast<char>(byte);
  };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace detail

/// Decodes a JSON string into UTF-8 (RFC 8259, section 7). A surrogate without its other half becomes U+FFFD.
/// \xhh is a byte: Apache writes it in a LogFormat of JSON. Returns the string itself if it has no escapes,
/// else a view into `memory`.
[[nodiscard]] inline byte_view decoded_json(byte_view text, std::string& memory) {
  std::uint64_t escape = find_byte(text, '\\');
  if (escape == text.size) return text;
  memory.clear();
  for (std::uint64_t at = 0; at < text.size;) {
    memory.append(text.data + at, escape - at);
    at = escape;
    if (at + 1 >= text.size) break;
    const char what = text[at + 1];
    at += 2;
    switch (what) {
      case 'b':
        memory += '\b';
        break;
      case 'f':
        memory += '\f';
        break;
      case 'n':
        memory += '\n';
        break;
      case 'r':
        memory += '\r';
        break;
      case 't':
        memory += '\t';
        break;
      case 'v':
        memory += '\v';
        break;
      case 'x':
        if (at + 2 <= text.size && detail::hex_value(text[at]) < 16 && detail::hex_value(text[at + 1]) < 16) {
          memory += static_cast<char>(detail::hex_value(text[at]) << 4 | detail::hex_value(text[at + 1]));
          at += 2;
        } else {
          memory += "\\x";
        }
        break;
      case 'u': {
        unsigned code = detail::json_code_unit(text, at);
        if (code > 0xFFFF) {
          memory += "\\u";
          break;
        }
        at += 4;
        const bool is_pair =
            code >= 0xD800 && code < 0xDC00 && at + 1 < text.size && text[at] == '\\' && text[at + 1] == 'u';
        const unsigned low = is_pair ? detail::json_code_unit(text, at + 2) : 0;
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
          at += 6;
        } else if (code >= 0xD800 && code < 0xE000) {
          code = 0xFFFD;
        }
        detail::append_utf8(code, memory);
        break;
      }
      default:
        memory += what;  // a quote, a backslash, a slash
    }
    escape = find_byte(text, '\\', at);
  }
  return byte_view(memory);
}

/// Calls use(name, depth, at) for each name in a JSON object. `depth`: the number of objects and lists around
/// the name; `at`: the begin of its value. Stops when use() returns false. Returns false if a name does not
/// end.
template <class Use>
[[nodiscard]] bool for_each_json_name(byte_view text, const Use& use) {
  unsigned depth = 0;
  for (std::uint64_t at = 0; at < text.size; ++at) {
    if (text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == '}' || text[at] == ']') --depth;
    if (text[at] != '"') continue;
    const std::uint64_t name_end = detail::find_closing_quote(text, at + 1);
    if (name_end >= text.size) return false;
    const byte_view name = text.sub(at + 1, name_end - at - 1);
    at = name_end;
    std::uint64_t colon = name_end + 1;
    while (colon < text.size && (text[colon] == ' ' || text[colon] == '\t')) ++colon;
    if (colon >= text.size || text[colon] != ':') continue;
    if (!use(name, depth, colon + 1)) return true;
  }
  return true;
}

/// Finds the string or number at `at`, or the first one of a list there, with its escapes. Returns false for
/// anything else, and for a string that does not end.
[[nodiscard]] inline bool json_value_at(byte_view text, std::uint64_t at, byte_view& value) {
  while (at < text.size && (text[at] == ' ' || text[at] == '\t' || text[at] == '[')) ++at;
  if (at >= text.size || text[at] == '{') return false;
  std::uint64_t end = at;
  if (text[at] == '"') {
    end = detail::find_closing_quote(text, ++at);
    if (end >= text.size) return false;
  } else {
    while (end < text.size && text[end] != ',' && text[end] != '}' && text[end] != ']' && text[end] != ' ')
      ++end;
  }
  value = text.sub(at, end - at);
  return true;
}

}  // namespace duomap::apps
