// A sum of floating-point numbers that is the same to the last bit in any order of additions.
#pragma once

#include "core/config.hpp"
#include "core/error.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace duomap {

/// The sum of any number of floats or doubles. a + b is exactly associative and commutative: the bytes of a
/// sum depend only on the numbers, not on their order, grouping, device or engine.
///
/// The range of exponents is divided into cells of 30 bits, whose borders never move. A number is cut at
/// these borders into parts. Each part is added to the sum's cell as an integer, which is exact in any order.
/// A sum keeps the cells of its largest number, and one cell below. Parts below that are dropped, no matter
/// when they come. This is the binned sum of Demmel, Ahrens and Nguyen (Efficient Reproducible Floating Point
/// Summation and BLAS, ACM TOMS 46, 2020), with integers in place of floats. With integers nothing carries
/// from cell to cell before the end, so no renormalization is needed meanwhile. They also suit a GPU, whose
/// rounding modes would have to match the CPU's for floats.
///
/// Let x be the largest of n numbers. value() differs from the exact sum by at most
///   ulp(value) / 2 + n * ulp(x) / 2^30.
/// If no number has bits below ulp(x) / 2^30, value() is correctly rounded, and the error is half an ulp. The
/// bound is smaller than the bound of pairwise summation, for every n that is allowed. Only the result is
/// rounded or can overflow: the largest float twice and its negative once are the largest float.
///
/// Infinities of one sign give that infinity. Infinities of both signs give NaN. Any NaN gives the quiet NaN
/// of std::numeric_limits, without its payload. Only numbers that are all -0.0 add up to -0.0. No number at
/// all gives 0.0.
template <class Float>
class reproducible {
  static_assert(std::is_same_v<Float, float> || std::is_same_v<Float, double>,
                "sums are reproducible for float and double");

 public:
  /// With more numbers a cell could overflow. value() throws then, because its answer could be wrong.
  static constexpr std::uint64_t most_numbers = std::uint64_t{1} << 33;

  /// The sum of no numbers, which is 0. A variable without {} has any value, as for built-in numbers.
  reproducible() = default;

  /// The sum of one number. Implicit on purpose: map emits plain numbers and need not know this type.
  DUOMAP_HD constexpr reproducible(Float number) : parts_{}, head_(1) {
    const auto bits = std::bit_cast<bits_type>(number);
    const auto exponent = static_cast<unsigned>(bits >> fraction_bits) & largest_exponent;
    std::uint64_t mantissa = bits & ((bits_type{1} << fraction_bits) - 1);
    const bool negative = bits >> (8 * sizeof bits - 1) != 0;
    if (exponent == largest_exponent) {
      head_ |= mantissa != 0 ? has_nan : negative ? has_minus_infinity : has_plus_infinity;
      return;
    }
    if (!(negative && exponent == 0 && mantissa == 0)) head_ |= has_others;
    // The number is mantissa << place, in units of the smallest subnormal number.
    if (exponent > 0) mantissa |= std::uint64_t{1} << fraction_bits;
    const unsigned place = exponent > 0 ? exponent - 1 : 0;
    const unsigned offset = place % cell_bits;
    std::uint64_t part[spanned] = {(mantissa << offset) & cell_mask};
    for (unsigned i = 1; i < spanned; ++i) part[i] = (mantissa >> (cell_bits * i - offset)) & cell_mask;
    for (unsigned i = 0; i < spanned; ++i) {
      const std::uint64_t one = part[spanned - 1 - i];
      parts_[i] = negative ? 0 - one : one;
    }
    head_ |= std::uint64_t{place / cell_bits + spanned - 1} << top_shift;
  }

  [[nodiscard]] friend DUOMAP_HD constexpr reproducible operator+(const reproducible& a,
                                                                  const reproducible& b) {
    reproducible both{};
    const unsigned top = a.top() > b.top() ? a.top() : b.top();
    if (a.top() == b.top()) {
      for (unsigned i = 0; i < kept; ++i) both.parts_[i] = a.parts_[i] + b.parts_[i];
    } else {
      for (unsigned i = 0; i < kept; ++i) both.parts_[i] = a.part_below(top, i) + b.part_below(top, i);
    }
    const std::uint64_t numbers = a.count() + b.count();
    both.head_ = (numbers < count_mask ? numbers : count_mask) | std::uint64_t{top} << top_shift |
                 ((a.head_ | b.head_) >> flag_shift << flag_shift);
    return both;
  }

  /// Whether two sums are the same. Then they also stay the same if the same numbers are added to both.
  friend constexpr bool operator==(const reproducible&, const reproducible&) = default;

  /// How many numbers were added. It stops at 2^48 - 1.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t count() const { return head_ & count_mask; }

  /// The sum, rounded once, to nearest, ties to even. Host only.
  /// @throws error when more than most_numbers were added
  [[nodiscard]] Float value() const {
    using limits = std::numeric_limits<Float>;
    if (count() > most_numbers) {
      throw error(exit_status::failed,
                  "a reproducible sum of more than " + std::to_string(most_numbers) +
                      " numbers; let map emit under more keys, or run without deterministic");
    }
    const bool plus = (head_ & has_plus_infinity) != 0;
    const bool minus = (head_ & has_minus_infinity) != 0;
    if ((head_ & has_nan) != 0 || (plus && minus)) return limits::quiet_NaN();
    if (plus || minus) return plus ? limits::infinity() : -limits::infinity();
    // 2^33 numbers can carry into two more digits.
    std::uint64_t digits[kept + 2];
    const bool negative = carry(digits);
    const Float magnitude = rounded(digits);
    const bool all_minus_zero = count() > 0 && (head_ & has_others) == 0;
    return negative || all_minus_zero ? -magnitude : magnitude;
  }

  /// Refuses a stored sum that no numbers add up to (core/partial/stored/stored_check.hpp). Host only.
  template <class Check>
  void check_stored(const Check& check) const {
    if (count() > most_numbers)
      check.refuse("a reproducible sum is of " + std::to_string(count()) + " numbers, at most " +
                   std::to_string(most_numbers) + " are possible");
    const auto most = static_cast<std::int64_t>(count() * cell_mask);
    for (const std::uint64_t part : parts_) {
      const auto one = static_cast<std::int64_t>(part);
      if (one > most || one < -most) check.refuse("a part of a reproducible sum is too large");
    }
    if (top() > (largest_exponent - 2) / cell_bits + spanned - 1)
      check.refuse("the highest cell of a reproducible sum is " + std::to_string(top()));
  }

 private:
  using bits_type = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

  static constexpr unsigned fraction_bits = std::numeric_limits<Float>::digits - 1;
  static constexpr unsigned largest_exponent = (1u << (8 * sizeof(Float) - 1 - fraction_bits)) - 1;

  // 2^33 parts of 30 bits fit into a 64-bit integer with a sign.
  static constexpr unsigned cell_bits = 30;
  static constexpr std::uint64_t cell_mask = (std::uint64_t{1} << cell_bits) - 1;
  // A mantissa of 24 bits lies in at most two cells, one of 53 bits in at most three; one cell below is kept,
  // too.
  static constexpr unsigned spanned = (fraction_bits + 1 + cell_bits - 1 + cell_bits - 1) / cell_bits;
  static constexpr unsigned kept = spanned + 1;

  // From bit 0 on, head_ has the number of numbers, the highest cell, and flags for the kinds of numbers.
  static constexpr unsigned top_shift = 48;
  static constexpr unsigned flag_shift = 56;
  static constexpr std::uint64_t count_mask = (std::uint64_t{1} << top_shift) - 1;
  static constexpr std::uint64_t has_nan = std::uint64_t{1} << flag_shift;
  static constexpr std::uint64_t has_plus_infinity = has_nan << 1;
  static constexpr std::uint64_t has_minus_infinity = has_nan << 2;
  static constexpr std::uint64_t has_others = has_nan << 3;  // finite numbers that are not -0.0

  [[nodiscard]] DUOMAP_HD constexpr unsigned top() const {
    return static_cast<unsigned>(head_ >> top_shift) & 0xFF;
  }

  /// Part i of the sum, counted as if its highest cell were `top`. Compares, and does not compute an index: a
  /// GPU keeps an array in registers only if every index is a constant.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t part_below(unsigned top, unsigned i) const {
    std::uint64_t found = 0;
    for (unsigned j = 0; j < kept; ++j) {
      if (j + (top - this->top()) == i) found = parts_[j];
    }
    return found;
  }

  /// Writes the magnitude as digits of cell_bits bits, the lowest first. Returns whether the sum is negative.
  constexpr bool carry(std::uint64_t (&digits)[kept + 2]) const {
    const auto with_sign = [&](bool negated) {
      std::int64_t carried = 0;
      for (unsigned i = 0; i < kept; ++i) {
        const std::uint64_t part = parts_[kept - 1 - i];
        const std::int64_t all = static_cast<std::int64_t>(negated ? 0 - part : part) + carried;
        digits[i] = static_cast<std::uint64_t>(all) & cell_mask;
        carried = all >> cell_bits;
      }
      digits[kept] = static_cast<std::uint64_t>(carried) & cell_mask;
      digits[kept + 1] = static_cast<std::uint64_t>(carried) >> cell_bits;
      return carried >= 0;
    };
    if (with_sign(false)) return false;
    with_sign(true);
    return true;
  }

  /// Makes a number of the digits, rounded to nearest, ties to even.
  [[nodiscard]] constexpr Float rounded(const std::uint64_t (&digits)[kept + 2]) const {
    // The number of the lowest digit's lowest bit. Bit 0 is the smallest subnormal number; no bit below it is
    // set.
    const int lowest = static_cast<int>(cell_bits) * (static_cast<int>(top()) - static_cast<int>(kept) + 1);
    int highest = -1;
    for (unsigned i = 0; i < kept + 2; ++i) {
      if (digits[i] != 0)
        highest = lowest + static_cast<int>(cell_bits * i) + static_cast<int>(std::bit_width(digits[i])) - 1;
    }
    if (highest < 0) return 0;
    const int last =
        highest > static_cast<int>(fraction_bits) ? highest - static_cast<int>(fraction_bits) : 0;
    std::uint64_t mantissa = 0;
    bool half = false, more = false;
    for (unsigned i = 0; i < kept + 2; ++i) {
      if (digits[i] == 0) continue;
      const int shift = lowest + static_cast<int>(cell_bits * i) - last;
      if (shift >= 0) {
        mantissa |= digits[i] << shift;
      } else if (-shift <= static_cast<int>(cell_bits)) {
        const std::uint64_t half_bit = std::uint64_t{1} << (-shift - 1);
        mantissa |= digits[i] >> -shift;
        half = (digits[i] & half_bit) != 0;
        more = more || (digits[i] & (half_bit - 1)) != 0;
      } else {
        more = true;
      }
    }
    if (half && (more || (mantissa & 1) != 0)) ++mantissa;
    // The mantissa's highest bit is added to the exponent, and raises it by one. A bit that rounding has
    // carried out of the mantissa does the same.
    const std::uint64_t bits = (static_cast<std::uint64_t>(last) << fraction_bits) + mantissa;
    constexpr std::uint64_t infinity = std::uint64_t{largest_exponent} << fraction_bits;
    return std::bit_cast<Float>(static_cast<bits_type>(bits < infinity ? bits : infinity));
  }

  std::uint64_t parts_[kept];  // one for each kept cell, the highest first; two's complement
  std::uint64_t head_;
};

}  // namespace duomap
