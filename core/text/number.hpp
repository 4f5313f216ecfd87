// Reads numbers from texts, on any device, as std::from_chars does.
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
  no_number,     ///< the text does not begin with a number
  out_of_range,  ///< the text begins with a number that T cannot hold
};

/// The number at the beginning of a text. The number takes `used` bytes of the text, even if it is out of
/// range. `value` is 0 unless `status` is number.
template <class T>
struct parsed {
  T value = 0;
  std::uint64_t used = 0;
  parse_status status = parse_status::no_number;

  /// Whether a text of this size is a number and nothing else.
  [[nodiscard]] DUOMAP_HD constexpr bool all_of(std::uint64_t size) const {
    return status == parse_status::number && used == size;
  }
};

namespace detail {

/// The value of a digit, 0 to 9; a larger number if `c` is no digit.
[[nodiscard]] DUOMAP_HD constexpr unsigned digit_of(char c) {
  return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
}

/// Appends the digits from `at` on to `number`, which keeps its last 64 bits. Returns the position behind
/// them.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t read_digits(byte_view text, std::uint64_t at,
                                                            std::uint64_t& number) {
  for (; at < text.size; ++at) {
    const unsigned digit = digit_of(text[at]);
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  return at;
}

/// Whether the number with these digits is at most `most`.
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

/// Reads decimal digits, with a minus sign for signed types. As in std::from_chars, no spaces and no plus
/// sign.
template <std::integral T>
  requires(!std::same_as<T, bool> && sizeof(T) <= 8)
[[nodiscard]] DUOMAP_HD constexpr parsed<T> parse_integer(byte_view text) {
  const bool negative = std::is_signed_v<T> && text.size > 0 && text[0] == '-';
  const std::uint64_t begin = negative ? 1 : 0;
  // The smallest value of a signed type is one further from 0 than the largest value.
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  const std::uint64_t at = detail::read_digits(text, begin, value);
  if (at == begin) return {};
  // 19 digits always fit into 64 bits. With more digits, the number may be larger than 64 bits.
  const bool fits = at - begin <= 19 ? value <= most : detail::at_most(text.sub(begin, at - begin), most);
  if (!fits) return {0, at, parse_status::out_of_range};
  return {static_cast<T>(negative ? ~value + 1 : value), at, parse_status::number};
}

namespace detail {

/// The first digits of a number, which is digits * 10^exponent, or a little larger if `more` is true.
struct leading_digits {
  std::uint64_t digits;
  std::int64_t exponent;
  bool more;
};

/// The first 19 digits of a text such as "0012.5", without leading zeros. 19 digits always fit into 64 bits.
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

/// nearest_double() of a text such as "0012.5" times 10^exponent, with more digits than 64 bits hold.
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double(byte_view text, std::int64_t exponent) {
  const leading_digits first = first_digits(text);
  const std::uint64_t bits = nearest_double(first.digits, first.exponent + exponent);
  // Nearly always the next larger 19 digits have the same nearest double, so it is the answer.
  if (!first.more || nearest_double(first.digits + 1, first.exponent + exponent) == bits) return bits;
  const int order = compare_with_middle(text, exponent, bits);
  return order > 0 || (order == 0 && bits % 2 == 1) ? bits + 1 : bits;
}

}  // namespace detail

/// Reads a decimal number such as "-12.5e-3": digits with or without a point, and an optional exponent. No
/// spaces, leading plus sign, infinity or NaN. The value is the nearest double; of two it is the even one. A
/// number is out of range if it is beyond the largest double, or if it is not 0 but nearest to 0.
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
        // From here on the exponent is beyond any number of digits, so further digits of it do not matter.
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
