// Finds the double nearest to digits * 10^exponent. Digits that fit into 64 bits need one or two products
// (Eisel and Lemire). More digits need an exact comparison with the middle between two doubles.
#pragma once

#include "core/byte_view.hpp"
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

/// The bits of the double nearest to digits * 10^exponent. Of two nearest doubles it is the even one. If the
/// number is too large, the bits of infinity.
[[nodiscard]] DUOMAP_HD inline std::uint64_t nearest_double(std::uint64_t digits, std::int64_t exponent) {
  if (digits == 0 || exponent < smallest_power_of_five) return 0;
  if (exponent > largest_power_of_five) return bits_of_infinity;
  const int power = static_cast<int>(exponent);
  const power_of_five five = highest_bits_of_five(power);
  const unsigned zeros = leading_zeros(digits);
  const std::uint64_t shifted = digits << zeros;
  two_words all = product(shifted, five.high);
  // The product needs the low half of the power of five only if that half can carry into the upper 55 bits,
  // which decide the result. This is so only if all bits below them are set.
  constexpr std::uint64_t rest = ~std::uint64_t{0} >> 55;
  if ((all.high & rest) == rest) {
    const std::uint64_t carried = product(shifted, five.low).high;
    all.low += carried;
    if (all.low < carried) ++all.high;
  }
  const auto top = static_cast<unsigned>(all.high >> 63);
  const unsigned shift = top + 9;
  std::uint64_t bits = all.high >> shift;  // 53 bits of the mantissa, and one bit for rounding
  // 217706 / 65536 is log2(10), to enough digits for all exponents that occur.
  const int binary = ((217706 * power) >> 16) + 63 + static_cast<int>(top) - static_cast<int>(zeros) + 1023;
  if (binary <= 0) {  // subnormal: fewer bits, and never half way
    if (binary <= -63) return 0;
    bits >>= static_cast<unsigned>(1 - binary);
    return (bits + (bits & 1)) >> 1;
  }
  // A number can be half way between two doubles only if the power of five fits into the bits that are left.
  const bool half_way = all.low <= 1 && power >= -4 && power <= 23 && bits << shift == all.high;
  if (half_way && (bits & 3) == 1) bits &= ~std::uint64_t{1};
  bits = (bits + (bits & 1)) >> 1;
  // The highest bit of the mantissa is not stored. Here it is added to the exponent, and raises it by one. A
  // carry of rounding does the same.
  const std::uint64_t number = bits + (static_cast<std::uint64_t>(binary - 1) << 52);
  return number < bits_of_infinity ? number : bits_of_infinity;
}

#if !defined(__CUDA_ARCH__) && !defined(__FAST_MATH__)
/// Whether divisions round to nearest. A program may change the rounding mode of a thread.
[[nodiscard]] inline bool rounds_to_nearest() {
  static const volatile float smallest = std::numeric_limits<float>::min();  // volatile: never a constant
  const float little = smallest;
  return 1.0F + little == 1.0F - little;
}
#endif

/// nearest_double() by one division, if doubles hold the digits and the power of ten exactly (Clinger).
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

/// A large natural number. Its 3072 bits suffice for compare_with_middle(): there 769 digits have 2555 bits,
/// and the other number has at most one more.
class large_number {
 public:
  DUOMAP_HD explicit large_number(std::uint64_t value)
    : words_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)}, count_(2) {}

  /// Replaces this number by number * factor + summand.
  DUOMAP_HD void multiply(std::uint32_t factor, std::uint32_t summand = 0) {
    std::uint64_t carry = summand;
    for (unsigned i = 0; i < count_; ++i) {
      carry += std::uint64_t{words_[i]} * factor;
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words_[count_++] = static_cast<std::uint32_t>(carry);
  }

  DUOMAP_HD void multiply_by_power_of_five(unsigned exponent) {
    for (; exponent >= 13; exponent -= 13) multiply(1220703125);  // 5^13, the largest in 32 bits
    for (; exponent > 0; --exponent) multiply(5);
  }

  DUOMAP_HD void multiply_by_power_of_two(unsigned exponent) {
    if (exponent % 32 != 0) multiply(std::uint32_t{1} << exponent % 32);
    const unsigned words = exponent / 32;
    for (unsigned i = count_; i > 0; --i) words_[i - 1 + words] = words_[i - 1];
    for (unsigned i = 0; i < words; ++i) words_[i] = 0;
    count_ += words;
  }

  /// Negative, 0 or positive, if this number is less than, equal to or larger than `other`.
  [[nodiscard]] DUOMAP_HD int compare(const large_number& other) const {
    const unsigned count = count_ > other.count_ ? count_ : other.count_;
    for (unsigned i = count; i > 0; --i) {
      const std::uint32_t mine = i <= count_ ? words_[i - 1] : 0;
      const std::uint32_t its = i <= other.count_ ? other.words_[i - 1] : 0;
      if (mine != its) return mine < its ? -1 : 1;
    }
    return 0;
  }

 private:
  std::uint32_t words_[96];
  unsigned count_;
};

/// Compares the number "0012.5" times 10^exponent with the middle between the double of `double_bits` and the
/// next double: negative, 0 or positive. The middle has at most 768 digits, so further digits other than 0
/// only mean that the number is not the middle. Out of line, because it needs much memory, and one of 10^15
/// numbers of 20 digits calls it.
[[nodiscard, gnu::noinline]] DUOMAP_HD inline int compare_with_middle(byte_view digits, std::int64_t exponent,
                                                                      std::uint64_t double_bits) {
  constexpr unsigned most_digits = 768;
  large_number decimal(0);
  unsigned count = 0;
  bool more = false;
  bool behind_point = false;
  for (std::uint64_t i = 0; i < digits.size; ++i) {
    if (digits[i] == '.') {
      behind_point = true;
      continue;
    }
    if (count < most_digits) {
      decimal.multiply(10, static_cast<std::uint32_t>(digits[i] - '0'));
      if (count > 0 || digits[i] != '0') ++count;
      if (behind_point) --exponent;
    } else {
      more = more || digits[i] != '0';
      if (!behind_point) ++exponent;
    }
  }
  if (more) {
    decimal.multiply(10, 1);
    --exponent;
  }
  const auto stored_exponent = static_cast<int>(double_bits >> 52);
  const std::uint64_t fraction = double_bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = stored_exponent > 0 ? fraction | std::uint64_t{1} << 52 : fraction;
  large_number middle(2 * mantissa + 1);
  // The powers of two of the middle, less those of the number: decimal * 10^exponent is decimal * 5^exponent
  // * 2^exponent.
  const int twos = (stored_exponent > 0 ? stored_exponent : 1) - 1076 - static_cast<int>(exponent);
  if (exponent >= 0) {
    decimal.multiply_by_power_of_five(static_cast<unsigned>(exponent));
  } else {
    middle.multiply_by_power_of_five(static_cast<unsigned>(-exponent));
  }
  if (twos >= 0) {
    middle.multiply_by_power_of_two(static_cast<unsigned>(twos));
  } else {
    decimal.multiply_by_power_of_two(static_cast<unsigned>(-twos));
  }
  return decimal.compare(middle);
}

}  // namespace duomap::detail
