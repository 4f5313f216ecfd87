// Bounds the difference between a squared distance and the sum that a product of rounded rows gives. host
// safe
#pragma once

#include "core/config.hpp"

#include <cmath>
#include <cstdint>

namespace duomap {

/// The most columns for which the bounds below hold: sum_error is less than 1/64 then.
inline constexpr std::uint32_t most_product_columns = 1u << 15;

/// The error bound of |x|^2 - 2 x q + |q|^2 in single precision. x and q are the differences of a row and of
/// a query to a centre, rounded to 11 significant bits.
///
/// Rounding moves x and q by at most `shift` of their length: 2^-11, and 2^-24 for the difference. The sum is
/// then off by at most sum_error (|x|^2 + |q|^2). Squares are summed in four parts or more, with an error of
/// (columns / 4 + 8) 2^-24 each. For the product, tensor cores add 8 terms at a time to the sum, and cut
/// digits off at 2^-20 of the largest term. Since 2 |x| |q| is at most |x|^2 + |q|^2, this adds 2 columns
/// 2^-24. Squares that underflow are lost as a whole.
class product_bound {
 public:
  /// `query_square`: |q|^2, summed in single precision.
  DUOMAP_HD product_bound(std::uint32_t columns, double query_square)
    : sum_error_((2.5 * columns + 64) * 0x1p-24),
      least_((8.0 * columns + 32) * 0x1p-126),
      query_(std::sqrt(query_square * (1 + sum_error_) + least_)) {}

  /// The largest squared distance of a row with this sum.
  [[nodiscard]] DUOMAP_HD double most_distance(double sum) const {
    // The bound of the distance depends on |x|, which is at most |q| plus the distance. Each round raises the
    // distance by the missing part, and leaves less than an eighth of this part missing.
    double distance = std::sqrt(sum + least_);
    for (int round = 0; round < 12; ++round) {
      distance =
          (std::sqrt(sum + least_ + sum_error_ * squares(distance)) + 2 * shift * query_) / (1 - shift);
    }
    return distance * distance * (1 + 0x1p-24);
  }

  /// The largest sum of a row at this squared distance.
  [[nodiscard]] DUOMAP_HD double most_sum(double squared_distance) const {
    const double distance = std::sqrt(squared_distance) * (1 + 0x1p-24);
    const double moved = distance + shift * (2 * query_ + distance);
    return (moved * moved + sum_error_ * squares(distance) + least_) * (1 + 0x1p-24);
  }

  /// Whether single precision can hold all squares of a row at this squared distance.
  [[nodiscard]] DUOMAP_HD bool holds(double squared_distance) const {
    return squares(std::sqrt(squared_distance)) < 0x1p125;
  }

 private:
  static constexpr double shift = 0x1.02p-11;

  /// The largest |x|^2 + |q|^2 of a row at this distance.
  [[nodiscard]] DUOMAP_HD double squares(double distance) const {
    const double row = query_ + distance;
    return (row * row + query_ * query_) * (1 + 4 * shift);
  }

  double sum_error_;
  double least_;
  double query_;
};

}  // namespace duomap
