// Matches texts with the patterns of LIKE: % stands for any characters, _ for one character of UTF-8.
#pragma once

#include "apps/tasks/table/json_string.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

namespace detail {

[[nodiscard]] DUOMAP_HD constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80;
}

}  // namespace detail

/// The bytes of a field. Where it has two quotes for one, `doubled` is the quote; else it is '\0'.
struct field_units {
  byte_view text;
  char doubled = '\0';
  char line_feed = '\n';  ///< this byte stands for a line feed

  [[nodiscard]] DUOMAP_HD std::uint64_t next(std::uint64_t at) const {
    return at + (doubled != '\0' && text[at] == doubled ? 2u : 1u);
  }
  /// Moves `at` and `in_pattern` on if the unit at `at` stands in the pattern there.
  [[nodiscard]] DUOMAP_HD bool take(std::uint64_t& at, byte_view pattern, std::uint64_t& in_pattern) const {
    if ((text[at] == line_feed ? '\n' : text[at]) != pattern[in_pattern]) return false;
    at = next(at);
    ++in_pattern;
    return true;
  }
};

/// The bytes and the escapes of a JSON string.
struct json_units {
  byte_view text;

  [[nodiscard]] DUOMAP_HD std::uint64_t next(std::uint64_t at) const {
    return at + (text[at] == '\\' ? escape_size(text, at) : 1u);
  }
  /// Moves `at` and `in_pattern` on if the bytes of the unit at `at` stand in the pattern there.
  [[nodiscard]] DUOMAP_HD bool take(std::uint64_t& at, byte_view pattern, std::uint64_t& in_pattern) const {
    const std::uint64_t end = next(at);
    std::uint64_t place = in_pattern;
    const bool same = decode_json(
        text.sub(at, end - at), [&](char byte) { return place < pattern.size && pattern[place++] == byte; });
    if (!same) return false;
    at = end;
    in_pattern = place;
    return true;
  }
};

/// Whether the whole text has the form of the pattern. Compares bytes. A match of % that fails is tried again
/// one unit later, and only the last % before it.
template <class Units>
[[nodiscard]] DUOMAP_HD bool is_like(const Units& units, byte_view pattern) {
  std::uint64_t at = 0, p = 0;
  std::uint64_t behind_percent = 0;  // 0: no % yet
  std::uint64_t retry = 0;
  while (at < units.text.size) {
    if (p < pattern.size && pattern[p] == '%') {
      behind_percent = ++p;
      retry = at;
    } else if (p < pattern.size && pattern[p] == '_') {
      ++p;
      at = units.next(at);
      while (at < units.text.size && detail::continues_character(units.text[at])) at = units.next(at);
    } else if (p == pattern.size || !units.take(at, pattern, p)) {
      if (behind_percent == 0) return false;
      p = behind_percent;
      at = retry = units.next(retry);
    }
  }
  while (p < pattern.size && pattern[p] == '%') ++p;
  return p == pattern.size;
}

}  // namespace duomap::apps
