// Writes values as text, for messages about laws that do not hold.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/reduce.hpp"
#include "core/verify/struct_fields.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>

namespace duomap {

/// Writes numbers as the shortest decimal that reads back, texts in quotes, types with operator<< by that
/// operator, and the fields of a struct and the elements of an array in braces. Writes any other value as its
/// bytes in hexadecimal.
template <class V>
[[nodiscard]] std::string value_text(const V& value) {
  if constexpr (std::is_same_v<V, byte_view>) {
    return "\"" + std::string(value.text()) + "\"";
  } else if constexpr (std::is_arithmetic_v<V> && !std::is_same_v<V, bool> && !std::is_same_v<V, char>) {
    std::array<char, 64> digits;
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
  } else if constexpr (std::is_array_v<V>) {  // a stream would write its address
    std::string text;
    for (const auto& element : value) text += (text.empty() ? "{" : ", ") + value_text(element);
    return text + "}";
  } else if constexpr (requires(std::ostream & out) { out << value; }) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else if constexpr (has_fields<V>) {
    std::string text;
    with_fields(value, [&](const auto&... field) {
      ((text += (text.empty() ? "{" : ", ") + value_text(field)), ...);
    });
    return text + "}";
  } else {
    static constexpr char hex[] = "0123456789abcdef";
    std::string text = "0x";
    const auto* raw = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof value; ++i) {
      text += hex[raw[i] >> 4];
      text += hex[raw[i] & 15];
    }
    return text;
  }
}

template <class Score>
[[nodiscard]] std::string value_text(const scored<Score>& value) {
  return value_text(value.score) + " at " + std::to_string(value.index);
}

}  // namespace duomap
