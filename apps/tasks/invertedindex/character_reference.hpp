// Character references in attribute values: "&amp;" and its like, by name and by number.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <array>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The value with its references decoded, as browsers do (HTML Living Standard, 13.2.5.72 to 13.2.5.80): all
/// 2125 names, the 106 of them that need no semicolon also without one, unless '=', a letter or a digit
/// follows; numbers in decimal and hexadecimal, 0x80 to 0x9F as in windows-1252, and U+FFFD for what is no
/// character. Everything else stays as it is, also bytes that are not UTF-8.
[[nodiscard]] std::string decode_references(byte_view value);

namespace detail {

struct named_reference {
  std::string_view name;
  std::array<char32_t, 2> characters;  // the second is 0 where there is one only
  bool without_semicolon;
};
inline constexpr std::size_t named_references = 2125;
extern const std::array<named_reference, named_references> reference_names;

}  // namespace detail

}  // namespace duomap::apps
