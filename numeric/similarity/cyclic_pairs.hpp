// Chooses the rows with which a row is compared, so that each pair is compared once and all rows have the
// same work.
#pragma once

#include "core/config.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace duomap {

/// Each of n rows meets the half of the other rows that follows it cyclically: (i, i + 1) to (i, i + n / 2),
/// modulo n. If n is even, only the first half of the rows meets the last row of its half. If each row met
/// all later rows instead, the first rows would have most of the work, and equal shares of rows would take
/// unequal times.
struct cyclic_pairs {
  std::uint64_t count;  ///< n, the number of rows

  /// Whether `row` meets `other`; both are below n.
  [[nodiscard]] DUOMAP_HD constexpr bool meets(std::uint64_t row, std::uint64_t other) const {
    const std::uint64_t distance = other >= row ? other - row : other + count - row;
    return distance > 0 && (2 * distance < count || (2 * distance == count && row < other));
  }

  struct range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  /// Returns all rows that rows [begin, end) meet, begin < end, as at most two disjoint, ascending ranges.
  [[nodiscard]] constexpr std::array<range, 2> others(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t first = begin + 1;
    const std::uint64_t last = end + count / 2;  // one past the last
    if (last - first >= count) return {range{0, count}, range{}};
    if (last <= count) return {range{first, last}, range{}};
    if (first >= count) return {range{0, last - count}, range{}};
    return {range{0, last - count}, range{first, count}};
  }
};

}  // namespace duomap
