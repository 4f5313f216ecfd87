// Gives the moments of rows their places among the dense keys of the sums.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// Keys of the moments of rows of `columns` numbers about an origin: first the number of rows, then the sum
/// of each column, then the sum of each product of two columns i <= j. The products stand in the upper
/// triangle row by row, so that all products of one i are neighbours.
struct moment_cells {
  std::uint64_t columns = 0;

  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t count() const {
    return 1 + columns + columns * (columns + 1) / 2;
  }
  [[nodiscard]] static DUOMAP_HD constexpr std::uint64_t rows() { return 0; }
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t sum(std::uint64_t column) const { return 1 + column; }
  /// Requires i <= j.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t product(std::uint64_t i, std::uint64_t j) const {
    return 1 + columns + i * columns - i * (i + 1) / 2 + j;
  }
};

}  // namespace duomap
