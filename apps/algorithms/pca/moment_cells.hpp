// Where the moments of rows stand among the dense keys of their sums.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// Keys of the moments of rows of `columns` numbers about an origin: how many rows; the sum of each column;
/// the sum of each product of two columns i <= j, row by row of the upper triangle, so that the products of
/// one i stand side by side.
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
