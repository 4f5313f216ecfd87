// Reads numbers in texts as std::from_chars does, on any device.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/nearest_double.hpp"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace duomap {

enum class parse_status {
  number,
  no_number,     ///< the text does not begin with one
  out_of_range,  ///< the text begins with a number that T cannot hold
};

/// The number at the beginning of a text. `used` bytes of the text are the number, also when it is out of
/// range; the value is 0 unless `status` is number.
template <class T>
struct parsed {
  T value = 0;
  std::uint64_t used = 0;
  parse_status status = parse_status::no_number;

  /// Whether all of a text of that size is the number.
  [[nodiscard]] DUOMAP_HD constexpr bool all_of(std::uint64_t size) const {
    return status == parse_status::number && used == size;
  }
};

namespace detail {

/// The digit, 0 to 9, or a larger number if `c` is no digit.
[[nodiscard]] DUOMAP_HD constexpr unsigned digit_of(char c) {
  return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
}

/// Returns the place behind the digits that begin at `at`; they are appended to `number`, which keeps its
/// last 64 bits.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t read_digits(byte_view text, std::uint64_t at,
                                                            std::uint64_t& number) {
  for (; at < text.size; ++at) {
    const unsigned digit = digit_of(text[at]);
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  return at;
}

/// Whether the number whose digits are `digits` is at most `most`.
[[nodiscard]] DUOMAP_HD constexpr bool at_most(byte_view digits, std::uint64_t most) {
  std::uint64_t value = 0;
  for (std::uint64_t at = 0; at < digits.size; ++at) {
    const unsigned digit = digit_of(digits[at]);
    if (value > most / 10 || value * 10 > most - digit) return false;
    value = value * 10 + digit;
  }
  return true;
}

}  // namespace detail

/// Decimal digits, behind a minus sign for signed types. No spaces, no plus sign, as std::from_chars.
template <std::integral T>
  requires(!std::same_as<T, bool> && sizeof(T) <= 8)
[[nodiscard]] DUOMAP_HD constexpr parsed<T> parse_integer(byte_view text) {
  const bool negative = std::is_signed_v<T> && text.size > 0 && text[0] == '-';
  const std::uint64_t begin = negative ? 1 : 0;
  // The smallest number of a signed type is one further from 0 than the largest number.
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  const std::uint64_t at = detail::read_digits(text, begin, value);
  if (at == begin) return {};
  // 64 bits hold any 19 digits; only if there are more must each be looked at.
  const bool fits = at - begin <= 19 ? value <= most : detail::at_most(text.sub(begin, at - begin), most);
  if (!fits) return {0, at, parse_status::out_of_range};
  return {static_cast<T>(negative ? ~value + 1 : value), at, parse_status::number};
}

namespace detail {

/// digits * 10^exponent, or a little more.
struct leading_digits {
  std::uint64_t digits;
  std::int64_t exponent;
  bool more;
};

/// The first 19 digits of "0012.5", which 64 bits hold in any case, without leading zeros.
[[nodiscard]] DUOMAP_HD inline leading_digits first_digits(byte_view text) {
  leading_digits found{0, 0, false};
  unsigned count = 0;
  bool behind_point = false;
  for (std::uint64_t at = 0; at < text.size; ++at) {
    const unsigned digit = digit_of(text[at]);
    if (digit > 9) {
      behind_point = true;
    } else if (count < 19) {
      found.digits = found.digits * 10 + digit;
      if (found.digits != 0) ++count;
      if (behind_point) --found.exponent;
    } else {
      found.more = found.more || digit != 0;
      if (!behind_point) ++found.exponent;
    }
  }
  return found;
}

/// nearest_double() of more digits than 64 bits hold, in "0012.5" times 10^exponent.
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double(byte_view text, std::int64_t exponent) {
  const leading_digits first = first_digits(text);
  const std::uint64_t bits = nearest_double(first.digits, first.exponent + exponent);
  // Nearly always the next number of 19 digits is nearest to the same double.
  if (!first.more || nearest_double(first.digits + 1, first.exponent + exponent) == bits) return bits;
  const int order = compare_with_middle(text, exponent, bits);
  return order > 0 || (order == 0 && bits % 2 == 1) ? bits + 1 : bits;
}

}  // namespace detail

/// A decimal number, "-12.5e-3": digits with or without a point, an exponent if there is one; no spaces, no
/// plus sign before it, no infinity, no NaN. The value is the nearest double, the even one of two. Out of
/// range are numbers beyond the largest double, and numbers other than 0 that are nearest to 0.
[[nodiscard]] DUOMAP_HD inline parsed<double> parse_double(byte_view text) {
  const bool negative = text.size > 0 && text[0] == '-';
  const std::uint64_t begin = negative ? 1 : 0;
  std::uint64_t number = 0;
  std::uint64_t at = detail::read_digits(text, begin, number);
  std::uint64_t digits = at - begin;
  std::int64_t exponent = 0;
  if (at < text.size && text[at] == '.') {
    const std::uint64_t end = detail::read_digits(text, at + 1, number);
    exponent = static_cast<std::int64_t>(at + 1) - static_cast<std::int64_t>(end);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return {};
  const std::uint64_t digits_end = at;

  std::int64_t given = 0;
  if (at < text.size && (text[at] == 'e' || text[at] == 'E')) {
    std::uint64_t next = at + 1;
    const bool small = next < text.size && text[next] == '-';
    if (next < text.size && (text[next] == '-' || text[next] == '+')) ++next;
    if (next < text.size && detail::digit_of(text[next]) <= 9) {
      for (; next < text.size && detail::digit_of(text[next]) <= 9; ++next) {
        // Far beyond any exponent that a text's digits could make up for.
        if (given < std::int64_t{1} << 56) given = given * 10 + detail::digit_of(text[next]);
      }
      if (small) given = -given;
      at = next;
    }
  }

  std::uint64_t bits = 0;
  bool zero = false;
  if (digits <= 19) {  // 19 digits fit into 64 bits
    zero = number == 0;
    bits = detail::nearest_double_of_few_digits(number, exponent + given);
  } else {
    const byte_view all = text.sub(begin, digits_end - begin);
    bits = detail::nearest_double(all, given);
    zero = bits == 0 && detail::first_digits(all).digits == 0;
  }
  if ((bits == 0 && !zero) || bits >= detail::bits_of_infinity) return {0, at, parse_status::out_of_range};
  bits |= static_cast<std::uint64_t>(negative) << 63;
  double value;
  memcpy(&value, &bits, sizeof value);
  return {value, at, parse_status::number};
}

}  // namespace duomap
