// Computes the distance of two rows, with the same bits on every device, and the error bound of sums in
// another order.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <cmath>
#include <cstdint>

namespace duomap {

/// A training row near a query: its squared distance, and its index among the training rows.
using neighbour = scored<double>;

/// Nearer rows come first; of equally near rows, the one with the smaller index.
struct nearer {
  [[nodiscard]] DUOMAP_HD bool operator()(const neighbour& a, const neighbour& b) const {
    return a.score != b.score ? a.score < b.score : a.index < b.index;
  }
};

/// The most columns of a row. With more, the bound of widened_limit() would be useless.
inline constexpr std::uint32_t most_columns = 1u << 20;

/// The squared Euclidean distance of two rows of float or double, in double precision. Differences of floats
/// are exact unless their exponents are far apart. Eight partial sums, column j in sum j % 8, are added in a
/// fixed order by fused multiply-adds, which no compiler changes: vector instructions, scalar instructions
/// and GPUs give the same bits. For doubles the distance may be infinite.
template <class T>
[[nodiscard]] DUOMAP_HD inline double squared_distance(const T* a, const T* b, std::uint32_t columns) {
  double sums[8] = {};
  std::uint32_t first = 0;
  const auto add = [&](std::uint32_t lane) {
    const double difference = static_cast<double>(a[first + lane]) - static_cast<double>(b[first + lane]);
    sums[lane] = std::fma(difference, difference, sums[lane]);
  };
  for (; first + 8 <= columns; first += 8) {
    for (std::uint32_t lane = 0; lane < 8; ++lane) add(lane);
  }
  for (std::uint32_t lane = 0; lane < 7; ++lane) {
    if (first + lane < columns) add(lane);
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// Returns a limit for sums in T. A row whose sum exceeds the limit is farther than a row whose squared
/// distance, or sum in T, is `near`.
///
/// A sum in T of c squared differences, in any order, with or without fused multiply-adds, is off by a factor
/// of at most (1 + u)^(c + 3), with u = 2^-24 for float and 2^-53 for double. Where squares underflow, it is
/// also off by T's least number, 2^-149 or 2^-1074, for each column (Higham, Accuracy and Stability of
/// Numerical Algorithms, section 3.1; all terms are positive). The limit allows for twice this error on
/// either side: 4 (c + 4) u, as long as c is at most most_columns.
template <class T = float>
[[nodiscard]] DUOMAP_HD inline double widened_limit(double near, std::uint32_t columns) {
  constexpr double half_unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  constexpr double least = sizeof(T) == 4 ? 0x1p-149 : 0x1p-1074;
  return near * (1 + 4 * (columns + 4.0) * half_unit) + 4 * (columns + 4.0) * least;
}

}  // namespace duomap
