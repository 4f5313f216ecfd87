// Decimal numbers in text as whole numbers of a fixed unit: "12.5" in hundredths is 1250.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
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
[[nodiscard]] DUOMAP_HD inline scaled_number parse_long_scaled(byte_view text, unsigned scale) {
  constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;
  const bool negative = text[0] == '-';
  const std::uint64_t most = largest + (negative ? 1 : 0);
  std::uint64_t value = 0;
  unsigned decimals = 0;
  bool any = false, behind_point = false, too_fine = false, too_large = false;
  for (std::uint64_t at = negative || text[0] == '+' ? 1 : 0; at < text.size; ++at) {
    const char c = text[at];
    if (c == '.') {
      if (behind_point) return {};
      behind_point = true;
      continue;
    }
    if (c < '0' || c > '9') return {};
    const auto digit = static_cast<std::uint64_t>(c - '0');
    any = true;
    if (behind_point && ++decimals > scale) {
      too_fine = too_fine || digit != 0;
      continue;
    }
    too_large = too_large || value > (most - digit) / 10;
    value = value * 10 + digit;
  }
  if (!any) return {};
  for (unsigned i = decimals; i < scale; ++i) {
    too_large = too_large || value > most / 10;
    value *= 10;
  }
  const auto status = too_large  ? scaled_status::too_large
                      : too_fine ? scaled_status::too_fine
                                 : scaled_status::number;
  return {static_cast<std::int64_t>(negative ? ~value + 1 : value), status, decimals};
}

}  // namespace detail

/// Reads the whole text: an optional sign, digits, and an optional point with digits on at least one side. No
/// exponent and no spaces. `scale` is at most 18.
[[nodiscard]] DUOMAP_HD inline scaled_number parse_scaled(byte_view text, unsigned scale) {
  if (text.size == 0) return {};
  // 64 bits hold any number of 18 digits, so up to 18 digits need no check for overflow.
  if (text.size + scale > 18) return detail::parse_long_scaled(text, scale);
  const bool negative = text[0] == '-';
  const std::uint64_t begin = negative || text[0] == '+' ? 1 : 0;
  std::int64_t value = 0;
  std::uint64_t point = text.size;
  for (std::uint64_t at = begin; at < text.size; ++at) {
    const unsigned digit = static_cast<unsigned>(static_cast<unsigned char>(text[at])) - '0';
    if (digit > 9) {
      if (text[at] != '.' || point < text.size) return {};
      point = at;
      continue;
    }
    value = value * 10 + digit;
  }
  const bool has_point = point < text.size;
  if (text.size - begin == (has_point ? 1u : 0u)) return {};
  const auto decimals = static_cast<unsigned>(has_point ? text.size - point - 1 : 0);
  if (decimals > scale) return detail::parse_long_scaled(text, scale);
  for (unsigned i = decimals; i < scale; ++i) value *= 10;
  return {negative ? -value : value, scaled_status::number, decimals};
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
