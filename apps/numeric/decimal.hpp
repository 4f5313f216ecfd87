// Decimal numbers in text, rounded to the nearest float or double.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace duomap {

enum class decimal_status {
  number,     ///< finite, infinite or NaN: as the text says
  none,       ///< the text does not begin with a number
  too_large,  ///< it does, and T has no number as large
};

/// What a text begins with; `end` is where the number ends.
template <class T>
struct decimal {
  T value = 0;
  const char* end = nullptr;
  decimal_status status = decimal_status::none;
};

/// Whether a number that T cannot hold is too small for it, and not too large.
[[nodiscard]] bool underflows(const char* begin, const char* end);

/// Reads as std::from_chars does, 17 to 20 ns a number of 6 to 17 digits, and takes a plus sign, too. What is
/// too small for T is 0 (or the smallest number, if that is nearer).
template <class T>
[[nodiscard]] inline decimal<T> read_decimal(const char* begin, const char* end) {
  const bool plus = end - begin > 1 && begin[0] == '+' && begin[1] != '-';
  decimal<T> number;
  const auto [stop, problem] = std::from_chars(plus ? begin + 1 : begin, end, number.value);
  number.end = stop;
  if (problem == std::errc()) {
    number.status = decimal_status::number;
  } else if (problem == std::errc::result_out_of_range) {
    if (!underflows(begin, stop)) {
      number.status = decimal_status::too_large;
      return number;
    }
    number.status = decimal_status::number;
    double nearer = 0;
    if constexpr (sizeof(T) < sizeof nearer) {
      if (std::from_chars(plus ? begin + 1 : begin, stop, nearer).ec != std::errc()) nearer = 0;
    }
    number.value = static_cast<T>(nearer);
  }
  return number;
}

/// All of a text as a number; status none when it is not one from its first to its last byte.
template <class T>
[[nodiscard]] inline decimal<T> whole_decimal(byte_view text) {
  decimal<T> number = read_decimal<T>(text.begin(), text.end());
  if (number.end != text.end()) number.status = decimal_status::none;
  return number;
}

}  // namespace duomap
