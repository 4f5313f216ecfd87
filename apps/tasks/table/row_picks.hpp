// The rows that a grouping picks from each group, such as the row with the largest number: their places and
// their order.
#pragma once

#include "core/config.hpp"

#include <cstdint>
#include <limits>

namespace duomap::apps {

inline constexpr unsigned most_picks = 16;
inline constexpr unsigned most_picked_rows = 64;  ///< of a group, by all picks together
inline constexpr unsigned most_rows_of_a_pick = 16;

/// The row that a pick prefers.
enum class pick_order : unsigned char {
  first,
  last,
  least,     ///< the row with the smallest number; of several the first
  greatest,  ///< the row with the largest number; of several the first
};

/// One pick. Its rows stand side by side in the state of a group, the preferred one first.
struct row_pick {
  pick_order order = pick_order::first;
  bool skips_missing = false;   ///< takes no row in which the picked column is missing
  unsigned char column = 0;     ///< the index of the picked column among the picked columns
  unsigned char by = 0;         ///< the value column with the numbers of least and greatest
  unsigned char first_row = 0;  ///< the index of the pick's first row in the state
  unsigned char rows = 1;       ///< the number of rows that the pick keeps
};

struct pick_plan {
  unsigned count = 0;
  unsigned rows = 0;  ///< of all picks together
  row_pick picks[most_picks] = {};
};

/// A row as a pick compares it: smaller is better. All orders become this one, so that states are folded in
/// one way.
struct picked_row {
  static constexpr std::int64_t no_place = std::numeric_limits<std::int64_t>::max();

  std::int64_t order = no_place;  ///< the number by which rows are compared, or its complement
  std::int64_t place = no_place;  ///< row_place()

  [[nodiscard]] DUOMAP_HD bool is_row() const { return place != no_place; }
  [[nodiscard]] DUOMAP_HD bool before(const picked_row& other) const {
    return order < other.order || (order == other.order && place < other.place);
  }
  friend bool operator==(const picked_row&, const picked_row&) = default;
};

/// The row at a place as a pick compares it. `number`: its number for least and greatest.
[[nodiscard]] DUOMAP_HD inline picked_row candidate(pick_order order, std::int64_t number,
                                                    std::int64_t place) {
  switch (order) {
    case pick_order::first:
      return {0, place};
    case pick_order::last:
      return {~place, place};
    case pick_order::least:
      return {number, place};
    case pick_order::greatest:
      return {~number, place};
  }
  return {};
}

/// Adds rows, the best one first, to those that a pick keeps.
DUOMAP_HD inline void fold_rows(picked_row* into, const picked_row* more, unsigned rows) {
  for (unsigned i = 0; i < rows && more[i].before(into[rows - 1]); ++i) {
    unsigned at = rows - 1;
    for (; at > 0 && more[i].before(into[at - 1]); --at) into[at] = into[at - 1];
    into[at] = more[i];
  }
}

}  // namespace duomap::apps
