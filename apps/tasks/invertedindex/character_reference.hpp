// Decodes attribute values: named and numeric character references, ends of lines, null characters.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <array>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The value as browsers read it: decodes references as the HTML Living Standard says (13.2.5.72 to
/// 13.2.5.80). There are 2125 names. The 106 names that need no semicolon are decoded without one, too,
/// unless '=', a letter or a digit follows. Numbers are decimal or hexadecimal, 0x80 to 0x9F as in
/// windows-1252. A number that is no character becomes U+FFFD. CR LF and CR become LF (13.2.3.5), a null
/// character becomes U+FFFD. All other bytes stay, even invalid UTF-8.
[[nodiscard]] std::string decode_value(byte_view value);

/// A quick check. If it is true, decode_value() does not change the value. If it is false, it perhaps does.
[[nodiscard]] bool is_decoded(byte_view value);

namespace detail {

struct named_reference {
  std::string_view name;
  std::array<char32_t, 2> characters;  // the second character is 0 if there is only one
  bool without_semicolon;
};
inline constexpr std::size_t named_references = 2125;
extern const std::array<named_reference, named_references> reference_names;

}  // namespace detail

}  // namespace duomap::apps
