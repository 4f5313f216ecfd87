// Finds and decodes JSON strings.
// host only
#pragma once

#include "apps/tasks/table/json_character.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace duomap::apps {

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
            detail::is_high_surrogate(code) && at + 1 < text.size && text[at] == '\\' && text[at + 1] == 'u';
        const unsigned low = is_pair ? detail::json_code_unit(text, at + 2) : 0;
        if (detail::is_low_surrogate(low)) {
          code = detail::joined_surrogates(code, low);
          at += 6;
        } else if (detail::is_high_surrogate(code) || detail::is_low_surrogate(code)) {
          code = 0xFFFD;
        }
        static_cast<void>(detail::put_utf8(code, [&memory](char byte) {
          memory += byte;
          return true;
        }));
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
