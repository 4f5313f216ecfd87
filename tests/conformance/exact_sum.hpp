// Computes exact sums of floating-point numbers as integers of 2,300 bits, for comparison with reproducible
// sums.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace duomap::test {

/// Adds and subtracts finite numbers without rounding, doubles up to 2^60. It counts in units of 2^-1190, of
/// which every double times 2^-60 is a whole number.
class exact_sum {
 public:
  void add(double number, int shift = 0) {
    int exponent = 0;
    // The mantissa as an integer of 53 bits. ldexp and frexp are exact here, even for subnormal numbers.
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(number, &exponent), 53));
    if (mantissa == 0) return;
    const auto place = static_cast<std::size_t>(exponent - 53 + shift + unit);
    const auto wide = static_cast<std::uint64_t>(std::abs(mantissa));
    const std::size_t first = place / 32;
    const unsigned offset = place % 32;
    const std::uint64_t low = (wide & 0xFFFFFFFF) << offset, high = (wide >> 32) << offset;
    const std::int64_t sign = mantissa < 0 ? -1 : 1;
    digits_[first] += sign * static_cast<std::int64_t>(low & 0xFFFFFFFF);
    digits_[first + 1] += sign * static_cast<std::int64_t>(low >> 32);
    digits_[first + 1] += sign * static_cast<std::int64_t>(high & 0xFFFFFFFF);
    digits_[first + 2] += sign * static_cast<std::int64_t>(high >> 32);
    settle();
  }

  void add(const exact_sum& other, int sign) {
    for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += sign * other.digits_[i];
    settle();
  }

  /// The sign: -1, 0 or 1.
  [[nodiscard]] int sign() const {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (digits_[i] != 0) return digits_[i] < 0 ? -1 : 1;
    }
    return 0;
  }

  [[nodiscard]] exact_sum magnitude() const {
    exact_sum all;
    all.add(*this, sign() < 0 ? -1 : 1);
    return all;
  }

  friend bool operator<=(const exact_sum& a, const exact_sum& b) {
    exact_sum rest = b;
    rest.add(a, -1);
    return rest.sign() >= 0;
  }

 private:
  static constexpr int unit = 1190;

  // Brings each digit into [0, 2^32), except for the last digit, which has the sign.
  void settle() {
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
      digits_[i + 1] += digits_[i] >> 32;
      digits_[i] &= 0xFFFFFFFF;
    }
  }

  std::array<std::int64_t, 72> digits_{};
};

}  // namespace duomap::test
