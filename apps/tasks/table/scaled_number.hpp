// Decimal numbers in text as whole numbers of a fixed unit: "12.5" in hundredths is 1250.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"
#include "core/text/number.hpp"

#include <cstdint>
#include <cstring>

namespace duomap::apps {

enum class scaled_status : unsigned char {
  number,
  no_number,  ///< anything but a sign, digits and a point
  too_fine,   ///< digits other than 0 behind the last decimal of the unit; `value` lacks these digits
  too_large,  ///< beyond 64 bits in this unit
};

/// A number in units of 10^-scale.
struct scaled_number {
  std::int64_t value = 0;
  scaled_status status = scaled_status::no_number;
  unsigned decimals = 0;  ///< digits behind the point
};

namespace detail {

/// parse_scaled() for any number of digits.
[[nodiscard]] DUOMAP_HD inline scaled_number parse_any_scaled(byte_view text, unsigned scale) {
  constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;
  const bool negative = text[0] == '-';
  const std::uint64_t most = largest + (negative ? 1 : 0);
  std::uint64_t value = 0;
  unsigned decimals = 0;
  unsigned digits = 0;
  bool behind_point = false, too_fine = false, too_large = false;
  for (std::uint64_t at = negative || text[0] == '+' ? 1 : 0; at < text.size; ++at) {
    const char c = text[at];
    if (c == '.') {
      if (behind_point) return {};
      behind_point = true;
      continue;
    }
    if (c < '0' || c > '9') return {};
    const auto digit = static_cast<std::uint64_t>(c - '0');
    ++digits;
    if (behind_point && ++decimals > scale) {
      too_fine = too_fine || digit != 0;
      continue;
    }
    // 64 bits hold any number of 18 digits.
    if (digits > 18) too_large = too_large || value > (most - digit) / 10;
    value = value * 10 + digit;
  }
  if (digits == 0) return {};
  for (unsigned i = decimals; i < scale; ++i) {
    too_large = too_large || value > most / 10;
    value *= 10;
  }
  const auto status = too_large  ? scaled_status::too_large
                      : too_fine ? scaled_status::too_fine
                                 : scaled_status::number;
  return {static_cast<std::int64_t>(negative ? ~value + 1 : value), status, decimals};
}

/// The text of a number without its sign, of one to eight bytes, as a word. All steps work on the word, so
/// that a CPU predicts no branch for each byte.
struct short_decimal {
  std::int64_t value = 0;
  unsigned decimals = 0;  ///< digits behind the point
  bool is_number = false;
};

[[nodiscard]] DUOMAP_HD inline std::int64_t times_power_of_ten(std::int64_t value, unsigned exponent) {
  for (; exponent > 0; --exponent) value *= 10;
  return value;
}

[[nodiscard]] DUOMAP_HD inline short_decimal parse_short_decimal(byte_view text) {
  constexpr std::uint64_t each = 0x0101010101010101u;
  const auto size = static_cast<unsigned>(text.size);
  std::uint64_t word = size == 8 ? load_eight(text.data) : load_some(text.data, size);
  unsigned digits = size, decimals = 0;
  // A byte of `points` is 0x80 if it is the first point. Bytes behind that may be 0x80 by mistake.
  const std::uint64_t differs = word ^ each * '.';
  const std::uint64_t points = (differs - each) & ~differs & each * 0x80;
  if (points != 0) {
    const unsigned before = zero_bytes_below(points);
    decimals = --digits - before;
    word = keep_bytes(word, before) | (word >> (8 * before) >> 8) << (8 * before);
    if (digits == 0) return {};
  }
  // Zeros in front make eight digits.
  word = word << (64 - 8 * digits) | (each * '0' & ((std::uint64_t{1} << (64 - 8 * digits)) - 1));
  // A digit has 3 in its upper half, and still has it after 6 is added.
  const std::uint64_t halves = (word & each * 0xf0) | ((word + each * 6) & each * 0xf0) >> 4;
  // Joins neighbours: digits to pairs, pairs to fours, and fours to all eight.
  word = (word & each * 0x0f) * (10 << 8 | 1) >> 8;
  word = (word & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
  word = (word & 0x0000ffff0000ffffu) * (std::uint64_t{10000} << 32 | 1) >> 32;
  return {static_cast<std::int64_t>(word), decimals, halves == each * 0x33};
}

}  // namespace detail

/// Reads the whole text: an optional sign, digits, and an optional point with digits on at least one side. No
/// exponent and no spaces. `scale` is at most 18.
[[nodiscard]] DUOMAP_HD inline scaled_number parse_scaled(byte_view text, unsigned scale) {
  if (text.size == 0) return {};
  const bool negative = text[0] == '-', positive = text[0] == '+';
  // The sign takes no branch, because a core would predict it wrong for half of mixed numbers.
  const std::uint64_t begin = static_cast<unsigned>(negative) | static_cast<unsigned>(positive);
  const std::uint64_t size = text.size - begin;
  if (size == 0 || size > 8 || size + scale > 18) [[unlikely]]
    return detail::parse_any_scaled(text, scale);
  const detail::short_decimal number = detail::parse_short_decimal(text.sub(begin, size));
  if (!number.is_number) return {};
  const std::int64_t sign =
      -static_cast<std::int64_t>(negative);  // all bits of a negative number are flipped
  std::int64_t value = (number.value ^ sign) - sign;
  if (number.decimals != scale) [[unlikely]] {
    if (number.decimals > scale) return detail::parse_any_scaled(text, scale);
    value = detail::times_power_of_ten(value, scale - number.decimals);
  }
  return {value, scaled_status::number, number.decimals};
}

/// A field without the spaces and tabs around it.
[[nodiscard]] DUOMAP_HD inline byte_view trimmed(byte_view field) {
  std::uint64_t begin = 0, end = field.size;
  while (begin < end && (field[begin] == ' ' || field[begin] == '\t')) ++begin;
  while (end > begin && (field[end - 1] == ' ' || field[end - 1] == '\t')) --end;
  return field.sub(begin, end - begin);
}

/// Reads the whole text as a double, perhaps with a plus sign. `status` is `number` or `no_number`.
[[nodiscard]] DUOMAP_HD inline parsed<double> parse_real(byte_view text) {
  if (text.size > 1 && text[0] == '+' && text[1] != '-') text = text.sub(1, text.size - 1);
  const parsed<double> number = parse_double(text);
  return number.all_of(text.size) ? number : parsed<double>{};
}

/// Whether the whole text is an integer, a decimal or a double.
[[nodiscard]] DUOMAP_HD inline bool is_any_number(byte_view text) {
  return parse_scaled(text, 18).status != scaled_status::no_number ||
         parse_real(text).status == parse_status::number;
}

/// Maps doubles to whole numbers of the same order; -0.0 comes before 0.0.
[[nodiscard]] DUOMAP_HD inline std::int64_t ordered_bits(double value) {
  std::int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) ^ (~std::uint64_t{0} >> 1))
                  : bits;
}

/// The double from which ordered_bits() made this number.
[[nodiscard]] inline double double_of_ordered(std::int64_t bits) {
  const std::int64_t back =
      bits < 0 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) ^ (~std::uint64_t{0} >> 1))
               : bits;
  double value;
  memcpy(&value, &back, sizeof value);
  return value;
}

}  // namespace duomap::apps
