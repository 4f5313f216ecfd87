// The double nearest to digits * 10^exponent, by one or two products of 64 bits (Eisel and Lemire).
#pragma once

#include "core/config.hpp"
#include "core/text/powers_of_five.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace duomap::detail {

inline constexpr std::uint64_t bits_of_infinity = std::uint64_t{0x7FF} << 52;

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

/// The bits of the double nearest to digits * 10^exponent, the even one of two; of infinity when it is too
/// large.
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double(std::uint64_t digits, std::int64_t exponent) {
  if (digits == 0 || exponent < smallest_power_of_five) return 0;
  if (exponent > largest_power_of_five) return bits_of_infinity;
  const int power = static_cast<int>(exponent);
  const power_of_five five = highest_bits_of_five(power);
  const unsigned zeros = leading_zeros(digits);
  const std::uint64_t shifted = digits << zeros;
  two_words all = product(shifted, five.high);
  // Only when all bits below the 55 that count are set can the lower half of the power carry into them.
  constexpr std::uint64_t rest = ~std::uint64_t{0} >> 55;
  if ((all.high & rest) == rest) {
    const std::uint64_t carried = product(shifted, five.low).high;
    all.low += carried;
    if (all.low < carried) ++all.high;
  }
  const auto top = static_cast<unsigned>(all.high >> 63);
  const unsigned shift = top + 9;
  std::uint64_t bits = all.high >> shift;  // 53 and one for rounding
  // 2^(217706 / 65536) is 10, closely enough for all exponents that there are.
  const int binary = ((217706 * power) >> 16) + 63 + static_cast<int>(top) - static_cast<int>(zeros) + 1023;
  if (binary <= 0) {  // below the smallest normal number: fewer bits, and no number is half way
    if (binary <= -63) return 0;
    bits >>= static_cast<unsigned>(1 - binary);
    return (bits + (bits & 1)) >> 1;
  }
  // Half way between two doubles is possible only where 5^|exponent| fits beside or into 54 bits.
  const bool half_way = all.low <= 1 && power >= -4 && power <= 23 && bits << shift == all.high;
  if (half_way && (bits & 3) == 1) bits &= ~std::uint64_t{1};
  bits = (bits + (bits & 1)) >> 1;
  // The highest bit is not stored: it counts one in the exponent, and so does the carry of rounding.
  const std::uint64_t number = bits + (static_cast<std::uint64_t>(binary - 1) << 52);
  return number < bits_of_infinity ? number : bits_of_infinity;
}

#if !defined(__CUDA_ARCH__) && !defined(__FAST_MATH__)
/// Whether a division gives the double that is nearest to the quotient: not where a program has changed how
/// this thread rounds.
[[nodiscard]] inline bool rounds_to_nearest() {
  static const volatile float smallest = std::numeric_limits<float>::min();  // not folded into a constant
  const float little = smallest;
  return 1.0F + little == 1.0F - little;
}
#endif

/// nearest_double() by one division, where a double holds both numbers exactly (Clinger).
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double_of_few_digits(std::uint64_t digits,
                                                                          std::int64_t exponent) {
#if !defined(__CUDA_ARCH__) && !defined(__FAST_MATH__)
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (digits >> 53 == 0 && exponent <= 0 && exponent >= -22 && rounds_to_nearest())
    return std::bit_cast<std::uint64_t>(static_cast<double>(digits) / powers[-exponent]);
#endif
  return nearest_double(digits, exponent);
}

}  // namespace duomap::detail
