// Reads decimal numbers in text, rounded to the nearest float or double.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <system_error>

namespace duomap {

enum class decimal_status {
  number,     ///< finite, infinite or NaN, as the text says
  none,       ///< the text does not begin with a number
  too_large,  ///< the text begins with a number that is too large for T
};

/// The number at the beginning of a text; `end` is the end of the number.
template <class T>
struct decimal {
  T value = 0;
  const char* end = nullptr;
  decimal_status status = decimal_status::none;
};

/// Whether a number outside of T's range is too small; otherwise it is too large.
[[nodiscard]] bool underflows(const char* begin, const char* end);

/// Reads a number that has few digits and no exponent: sets `value`, and moves `at` behind the number. For
/// any other text, returns false and changes nothing.
///
/// The number is a quotient: its digits without the point, divided by a power of ten. T holds both integers,
/// so IEEE 754 rounds the quotient correctly (Clinger 1990).
template <class T>
[[nodiscard]] inline bool read_short_decimal(const char*& at, const char* end, T& value) {
  constexpr std::array<T, 11> powers{T(1e0), T(1e1), T(1e2), T(1e3), T(1e4), T(1e5),
                                     T(1e6), T(1e7), T(1e8), T(1e9), T(1e10)};
  constexpr std::ptrdiff_t most_digits = 18;  // 18 decimal digits fit into 64 bits
  const char* next = at;
  const bool negative = next != end && *next == '-';
  if (negative) ++next;
  const char* const first = next;
  if (end - first > most_digits + 2) end = first + most_digits + 2;
  std::uint64_t digits = 0;
  const auto read_digits = [&] {
    const char* const begin = next;
    for (; next != end; ++next) {
      const unsigned digit = static_cast<unsigned>(static_cast<unsigned char>(*next)) - '0';
      if (digit > 9) break;
      digits = digits * 10 + digit;
    }
    return next - begin;
  };
  std::ptrdiff_t count = read_digits(), behind_point = 0;
  if (next != end && *next == '.') {
    ++next;
    behind_point = read_digits();
    count += behind_point;
  }
  if (count == 0 || count > most_digits || behind_point >= std::ssize(powers)) return false;
  if (digits >> std::numeric_limits<T>::digits != 0) return false;
  if (next != end && (*next == 'e' || *next == 'E')) return false;
  const T quotient = static_cast<T>(digits) / powers[static_cast<std::size_t>(behind_point)];
  value = negative ? -quotient : quotient;
  at = next;
  return true;
}

/// Reads a number as std::from_chars does, and also accepts a plus sign. A number of 8 to 17 digits takes 17
/// to 20 ns. A number too small for T becomes 0 or T's smallest number, whichever is nearer.
template <class T>
[[nodiscard]] inline decimal<T> read_decimal(const char* begin, const char* end) {
  const bool plus = end - begin > 1 && begin[0] == '+' && begin[1] != '-';
  decimal<T> number;
  number.end = begin;
  if (read_short_decimal(number.end, end, number.value)) {
    number.status = decimal_status::number;
    return number;
  }
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

/// Reads a whole text as a number. The status is `none` unless the number ends with the text.
template <class T>
[[nodiscard]] inline decimal<T> whole_decimal(byte_view text) {
  decimal<T> number = read_decimal<T>(text.begin(), text.end());
  if (number.end != text.end()) number.status = decimal_status::none;
  return number;
}

}  // namespace duomap
