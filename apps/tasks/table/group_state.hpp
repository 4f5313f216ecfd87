// The result of a grouping for one key, and the place of a row in the input as a number.
#pragma once

#include "apps/tasks/table/scaled_number.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <limits>

namespace duomap::apps {

/// The result for one key: the number of rows, and for each value column the number, the sum and the extremes
/// of its numbers. A column of doubles has its sum in `real`, and its extremes as ordered_bits().
template <unsigned Values>
struct group_state {
  std::uint64_t rows;
  std::uint64_t count[Values];
  /// The sum is high * 2^32 + low. With fewer than 2^32 numbers neither part overflows.
  std::uint64_t low[Values];
  std::int64_t high[Values];
  double real[Values];
  std::int64_t least[Values];
  std::int64_t greatest[Values];

  /// Sums of doubles are equal if they differ only by rounding.
  friend bool operator==(const group_state& a, const group_state& b) {
    bool same = a.rows == b.rows;
    for (unsigned v = 0; v < Values; ++v) {
      const double size = (a.real[v] < 0 ? -a.real[v] : a.real[v]) + (b.real[v] < 0 ? -b.real[v] : b.real[v]);
      const double apart = a.real[v] < b.real[v] ? b.real[v] - a.real[v] : a.real[v] - b.real[v];
      same = same && a.count[v] == b.count[v] && a.least[v] == b.least[v] && a.greatest[v] == b.greatest[v] &&
             a.low[v] == b.low[v] && a.high[v] == b.high[v] &&
             (apart <= 1e-9 * size || a.real[v] == b.real[v]);
    }
    return same;
  }
};

/// The state of no row.
template <unsigned Values>
[[nodiscard]] DUOMAP_HD group_state<Values> no_rows() {
  group_state<Values> none = {};
  for (unsigned v = 0; v < Values; ++v) {
    none.least[v] = std::numeric_limits<std::int64_t>::max();
    none.greatest[v] = std::numeric_limits<std::int64_t>::min();
  }
  return none;
}

/// Makes a row's state that of a row with a number in value column `v`: `units` of 10^-scale.
template <unsigned Values>
DUOMAP_HD void put_units(std::int64_t units, unsigned v, group_state<Values>& to) {
  if constexpr (Values == 1) v = 0;  // compilers see one place
  to.count[v] = 1;
  to.low[v] = static_cast<std::uint64_t>(units) & 0xffffffffu;
  to.high[v] = units >> 32;
  to.least[v] = to.greatest[v] = units;
}
template <unsigned Values>
DUOMAP_HD void put_real(double number, unsigned v, group_state<Values>& to) {
  if constexpr (Values == 1) v = 0;
  to.count[v] = 1;
  to.real[v] = number;
  to.least[v] = to.greatest[v] = ordered_bits(number);
}

/// The place of a row as one number. A later row of the input has a larger number.
[[nodiscard]] DUOMAP_HD inline std::int64_t row_place(std::uint32_t source, std::uint64_t offset) {
  constexpr unsigned offset_bits = 43;
  return static_cast<std::int64_t>(std::uint64_t{source} << offset_bits | offset);
}
[[nodiscard]] inline std::uint32_t source_of(std::int64_t place) {
  return static_cast<std::uint32_t>(place >> 43);
}
[[nodiscard]] inline std::uint64_t offset_of(std::int64_t place) {
  return static_cast<std::uint64_t>(place) & ((std::uint64_t{1} << 43) - 1);
}

/// Sums of these numbers are hardly ever equal for different sets of rows.
[[nodiscard]] DUOMAP_HD inline std::uint64_t mixed_place(std::int64_t place) {
  auto mixed = static_cast<std::uint64_t>(place) + 0x9e3779b97f4a7c15ull;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
  return mixed ^ mixed >> 31;
}

}  // namespace duomap::apps
