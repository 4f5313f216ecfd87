// Computes with whole multiples of 2^-2400, so that sums and products of two doubles are exact.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <cstdint>

namespace duomap::test {

using exact_integer = boost::multiprecision::cpp_int;
/// Has 100 digits, for quotients and roots of exact numbers.
using many_digits = boost::multiprecision::cpp_bin_float_100;

/// The exact sum of doubles, or of products of two doubles.
class exact_number {
 public:
  exact_number() = default;
  exact_number(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const auto digits = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    units_ = exact_integer(digits);
    units_ <<= static_cast<unsigned>(exponent - 53 + 1200);
  }

  friend exact_number operator+(exact_number a, const exact_number& b) {
    a.align(b);
    a.units_ += b.square_ == a.square_ ? b.units_ : exact_integer(b.units_ << 1200);
    return a;
  }
  friend exact_number operator-(const exact_number& a, const exact_number& b) { return a + b * -1; }
  /// The product of two sums of doubles, or of any number and a small whole number.
  friend exact_number operator*(const exact_number& a, const exact_number& b) {
    exact_number product;
    product.units_ = a.units_ * b.units_;
    product.square_ = true;
    return product;
  }
  friend exact_number operator*(exact_number a, int times) {
    a.units_ *= times;
    return a;
  }
  friend bool operator<(const exact_number& a, const exact_number& b) { return (b - a).units_ > 0; }
  friend bool operator<=(const exact_number& a, const exact_number& b) { return (b - a).units_ >= 0; }
  friend bool operator==(const exact_number& a, const exact_number& b) { return (b - a).units_ == 0; }

  [[nodiscard]] many_digits digits() const { return ldexp(many_digits(units_), square_ ? -2400 : -1200); }

 private:
  void align(const exact_number& with) {
    if (square_ || !with.square_) return;
    units_ <<= 1200;
    square_ = true;
  }

  exact_integer units_ = 0;  // of 2^-1200, or of its square
  bool square_ = false;
};

}  // namespace duomap::test
