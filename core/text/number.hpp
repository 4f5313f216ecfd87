// Numbers in text, read as std::from_chars reads them, on any device.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace duomap {

enum class parse_status {
  number,
  no_number,     ///< the text does not begin with one
  out_of_range,  ///< it does, and T cannot hold it
};

/// What a text begins with. `used` bytes of it are the number, also one that is out of range; the value is 0
/// unless `status` is number.
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

/// 0 to 9, or more.
[[nodiscard]] DUOMAP_HD constexpr unsigned digit_of(char c) {
  return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
}

}  // namespace detail

/// Decimal digits, behind a minus sign for signed types. No spaces, no plus sign, as std::from_chars.
template <std::integral T>
  requires(!std::same_as<T, bool> && sizeof(T) <= 8)
[[nodiscard]] DUOMAP_HD constexpr parsed<T> parse_integer(byte_view text) {
  const bool negative = std::is_signed_v<T> && text.size > 0 && text[0] == '-';
  const std::uint64_t begin = negative ? 1 : 0;
  // The smallest number of a signed type is one further from 0 than the largest.
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  bool fits = true;
  std::uint64_t at = begin;
  for (; at < text.size; ++at) {
    const unsigned digit = detail::digit_of(text[at]);
    if (digit > 9) break;
    fits = fits && value <= most / 10 && value * 10 <= most - digit;
    value = value * 10 + digit;
  }
  if (at == begin) return {};
  if (!fits) return {0, at, parse_status::out_of_range};
  return {static_cast<T>(negative ? ~value + 1 : value), at, parse_status::number};
}

namespace detail {

struct two_words {
  std::uint64_t high;
  std::uint64_t low;
};

[[nodiscard]] DUOMAP_HD inline two_words product(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return {__umul64hi(a, b), a * b};
#else
  __extension__ using wide = unsigned __int128;
  const wide both = static_cast<wide>(a) * b;
  return {static_cast<std::uint64_t>(both >> 64), static_cast<std::uint64_t>(both)};
#endif
}

[[nodiscard]] DUOMAP_HD inline unsigned leading_zeros(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__clzll(static_cast<long long>(word)));
#else
  return static_cast<unsigned>(std::countl_zero(word));
#endif
}

/// bits * 2^exponent, the top bit set; `inexact` when the number is a little larger.
struct binary_number {
  std::uint64_t bits;
  int exponent;
  bool inexact;
};

/// The nearest double's bits, the even one of two; those of infinity when it is too large.
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double(const binary_number& from) {
  const int top = from.exponent + 63;  // the exponent of the highest bit
  if (top > 1023) return std::uint64_t{0x7FF} << 52;
  const int kept = top >= -1022 ? 53 : 53 + 1022 + top;  // fewer bits below the smallest normal number
  if (kept < 0) return 0;
  const int dropped = 64 - kept;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = from.bits & ((half - 1) | half);
  std::uint64_t bits = kept == 0 ? 0 : from.bits >> dropped;
  if (rest > half || (rest == half && (from.inexact || (bits & 1) != 0))) ++bits;
  // The highest bit of a normal number is not stored, and rounding up to the next power of two carries into
  // the exponent.
  if (kept == 53) bits += static_cast<std::uint64_t>(top + 1022) << 52;
  return bits;
}

/// 10^k, k <= 19.
[[nodiscard]] DUOMAP_HD inline std::uint64_t power_of_ten(unsigned k) {
  std::uint64_t power = 1;
  for (; k > 0; --k) power *= 10;
  return power;
}

/// digits * 10^exponent exactly: a product of two words, or a quotient with its remainder. digits > 0,
/// |exponent| <= 19.
[[nodiscard]] DUOMAP_HD inline binary_number scale_exactly(std::uint64_t digits, int exponent) {
  if (exponent >= 0) {
    const two_words all = product(digits, power_of_ten(static_cast<unsigned>(exponent)));
    if (all.high == 0) {
      const unsigned shift = leading_zeros(all.low);
      return {all.low << shift, -static_cast<int>(shift), false};
    }
    const unsigned shift = leading_zeros(all.high);
    const std::uint64_t carried = shift == 0 ? 0 : all.low >> (64 - shift);
    return {all.high << shift | carried, 64 - static_cast<int>(shift), all.low << shift != 0};
  }
  const std::uint64_t power = power_of_ten(static_cast<unsigned>(-exponent));
  const unsigned digits_shift = leading_zeros(digits);
  const unsigned power_shift = leading_zeros(power);
  const std::uint64_t divisor = power << power_shift;
  std::uint64_t rest = digits << digits_shift;
  // Long division, bit by bit: 64 bits of rest / divisor * 2^63.
  std::uint64_t quotient = 0;
  bool carry = false;
  for (unsigned bit = 0; bit < 64; ++bit) {
    quotient <<= 1;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
    carry = rest >> 63 != 0;
    rest <<= 1;
  }
  const unsigned shift = leading_zeros(quotient);
  return {quotient << shift,
          static_cast<int>(power_shift) - static_cast<int>(digits_shift) - 63 - static_cast<int>(shift),
          rest != 0 || carry};
}

/// digits * 10^exponent by multiplying rounded powers 10^(2^i): at most eight of them, each adding an error
/// of 2^-63 of the number. digits > 0, |exponent| < 512.
[[nodiscard]] DUOMAP_HD inline binary_number scale_roughly(std::uint64_t digits, int exponent) {
  struct power {
    std::uint64_t bits;
    int exponent;
  };
  constexpr power positive[] = {
      {0xA000000000000000, -60}, {0xC800000000000000, -57}, {0x9C40000000000000, -50},
      {0xBEBC200000000000, -37}, {0x8E1BC9BF04000000, -10}, {0x9DC5ADA82B70B59E, 43},
      {0xC2781F49FFCFA6D5, 149}, {0x93BA47C980E98CE0, 362}, {0xAA7EEBFB9DF9DE8E, 787},
  };
  constexpr power negative[] = {
      {0xCCCCCCCCCCCCCCCD, -67},  {0xA3D70A3D70A3D70A, -70},  {0xD1B71758E219652C, -77},
      {0xABCC77118461CEFD, -90},  {0xE69594BEC44DE15B, -117}, {0xCFB11EAD453994BA, -170},
      {0xA87FEA27A539E9A5, -276}, {0xDDD0467C64BCE4A1, -489}, {0xC0314325637A193A, -914},
  };
  const unsigned shift = leading_zeros(digits);
  binary_number scaled{digits << shift, -static_cast<int>(shift), false};
  auto left = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  for (unsigned i = 0; left != 0; ++i, left >>= 1) {
    if ((left & 1) == 0) continue;
    const power& factor = exponent < 0 ? negative[i] : positive[i];
    const two_words all = product(scaled.bits, factor.bits);
    const unsigned up = all.high >> 63 == 0 ? 1 : 0;
    const std::uint64_t bits = up == 0 ? all.high : all.high << 1 | all.low >> 63;
    const bool round_up = (all.low << up) >> 63 != 0 && bits != ~std::uint64_t{0};
    scaled = {bits + (round_up ? 1 : 0), scaled.exponent + factor.exponent + 64 - static_cast<int>(up),
              false};
  }
  return scaled;
}

}  // namespace detail

/// A decimal number, "-12.5e-3": digits with or without a point, an exponent if there is one; no spaces, no
/// plus sign before it, no infinity, no NaN.
///
/// Of two neighbouring doubles the nearer one for numbers of up to 19 digits that are an integer of these
/// digits times 10^-19 to 10^19. Others are within 0.52 of the distance of two neighbours (19 digits count;
/// the powers of ten are rounded to 64 bits). Out of range are numbers beyond the largest double and those
/// other than 0 that are nearest to 0.
[[nodiscard]] DUOMAP_HD inline parsed<double> parse_double(byte_view text) {
  std::uint64_t at = 0;
  const bool negative = text.size > 0 && text[0] == '-';
  if (negative) ++at;
  constexpr unsigned most_digits = 19;  // what 64 bits hold in any case
  std::uint64_t digits = 0;
  unsigned digit_count = 0;
  std::int64_t exponent = 0;
  bool truncated = false;
  bool any = false;
  bool behind_point = false;
  for (; at < text.size; ++at) {
    if (text[at] == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    const unsigned digit = detail::digit_of(text[at]);
    if (digit > 9) break;
    any = true;
    if (digit_count < most_digits) {
      digits = digits * 10 + digit;
      if (digits != 0) ++digit_count;
      if (behind_point) --exponent;
    } else {
      truncated = truncated || digit != 0;
      if (!behind_point) ++exponent;
    }
  }
  if (!any) return {};

  if (at < text.size && (text[at] == 'e' || text[at] == 'E')) {
    std::uint64_t next = at + 1;
    const bool small = next < text.size && text[next] == '-';
    if (next < text.size && (text[next] == '-' || text[next] == '+')) ++next;
    if (next < text.size && detail::digit_of(text[next]) <= 9) {
      std::int64_t given = 0;
      for (; next < text.size && detail::digit_of(text[next]) <= 9; ++next) {
        // Far beyond what a text's digits could make up for.
        if (given < std::int64_t{1} << 56) given = given * 10 + detail::digit_of(text[next]);
      }
      exponent += small ? -given : given;
      at = next;
    }
  }

  std::uint64_t bits = 0;
  if (digits != 0) {
    // The largest double is below 10^309, half of the smallest above 10^-324, and `digits` below 10^19.
    if (exponent > 308 || exponent < -343) return {0, at, parse_status::out_of_range};
    const int scale = static_cast<int>(exponent);
    const bool exactly = !truncated && scale >= -19 && scale <= 19;
    bits = detail::nearest_double(exactly ? detail::scale_exactly(digits, scale)
                                          : detail::scale_roughly(digits, scale));
    if (bits == 0 || bits >= std::uint64_t{0x7FF} << 52) return {0, at, parse_status::out_of_range};
  }
  bits |= static_cast<std::uint64_t>(negative) << 63;
  double value;
  memcpy(&value, &bits, sizeof value);
  return {value, at, parse_status::number};
}

}  // namespace duomap
