// Decimal numbers in text, rounded to the nearest float or double.
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

/// A number of few digits: `value` is set and `at` moved behind it. False, and nothing done, for others and
/// where an exponent follows.
///
/// The digits without their point and the power of ten are integers that T holds, so IEEE 754 rounds their
/// quotient as it would the number itself (Clinger 1990).
template <class T>
[[nodiscard]] inline bool read_short_decimal(const char*& at, const char* end, T& value) {
  constexpr std::array<T, 11> powers{T(1e0), T(1e1), T(1e2), T(1e3), T(1e4), T(1e5),
                                     T(1e6), T(1e7), T(1e8), T(1e9), T(1e10)};
  constexpr std::ptrdiff_t most_digits = 18;  // of a word
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

/// Reads as std::from_chars does, 17 to 20 ns a number of 8 to 17 digits, and takes a plus sign, too. What is
/// too small for T is 0 (or the smallest number, if that is nearer).
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

/// All of a text as a number; status none when it is not one from its first to its last byte.
template <class T>
[[nodiscard]] inline decimal<T> whole_decimal(byte_view text) {
  decimal<T> number = read_decimal<T>(text.begin(), text.end());
  if (number.end != text.end()) number.status = decimal_status::none;
  return number;
}

}  // namespace duomap
