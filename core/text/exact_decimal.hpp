// How a decimal number of many digits compares with the middle between two doubles, exactly.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::detail {

/// A large natural number. 3072 bits hold what comparisons below need: 769 digits have 2555 bits, and what
/// they are compared with has at most one more.
class large_number {
 public:
  DUOMAP_HD explicit large_number(std::uint64_t value)
    : words_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)}, count_(2) {}

  /// this * factor + summand.
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
    for (; exponent >= 13; exponent -= 13) multiply(1220703125);  // 5^13, the largest of 32 bits
    for (; exponent > 0; --exponent) multiply(5);
  }

  DUOMAP_HD void multiply_by_power_of_two(unsigned exponent) {
    if (exponent % 32 != 0) multiply(std::uint32_t{1} << exponent % 32);
    const unsigned words = exponent / 32;
    for (unsigned i = count_; i > 0; --i) words_[i - 1 + words] = words_[i - 1];
    for (unsigned i = 0; i < words; ++i) words_[i] = 0;
    count_ += words;
  }

  /// Negative, 0 or positive, as this is less than, equal to or larger than the other.
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

/// The number "0012.5" times 10^exponent compared with the middle between the double of these bits and the
/// next one: negative, 0 or positive. Digits beyond 768 can only decide that a number is not the middle,
/// which has no more. Out of line, because of its memory: one in 10^15 numbers of 20 digits needs it.
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
  // Of the middle's last bit, less the decimal's.
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
