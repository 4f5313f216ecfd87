// Decodes attribute values: character references by name and by number, ends of lines, null characters.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <array>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The value as browsers read it. Its references are decoded (HTML Living Standard, 13.2.5.72 to 13.2.5.80):
/// all 2125 names, the 106 of them that need no semicolon also without one, unless '=', a letter or a digit
/// follows; numbers in decimal and hexadecimal, 0x80 to 0x9F as in windows-1252. A number that is no
/// character becomes U+FFFD. CR LF and CR become LF (13.2.3.5), a null character becomes U+FFFD. All other
/// bytes stay, also those that are not UTF-8.
[[nodiscard]] std::string decode_value(byte_view value);

/// A quick check: if true, decode_value() leaves the value as it is. It can be false for such a value, too.
[[nodiscard]] bool is_decoded(byte_view value);

namespace detail {

struct named_reference {
  std::string_view name;
  std::array<char32_t, 2> characters;  // the second is 0 if there is only one
  bool without_semicolon;
};
inline constexpr std::size_t named_references = 2125;
extern const std::array<named_reference, named_references> reference_names;

}  // namespace detail

}  // namespace duomap::apps
