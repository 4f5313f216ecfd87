// Groups the rows of a table as group_rows does, and picks rows of each group.
#pragma once

#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/row_picks.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

/// The result for one key: the numbers of the value columns, and the rows that were picked.
template <unsigned Values, unsigned Rows>
struct picked_state {
  group_state<Values> numbers;
  picked_row rows[Rows];

  friend bool operator==(const picked_state&, const picked_state&) = default;
};

/// Reduces the numbers as group_rows does, and keeps the best rows of each pick.
template <unsigned Values, unsigned Rows>
struct fold_picks {
  using value_type = picked_state<Values, Rows>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;

  pick_plan plan;

  [[nodiscard]] DUOMAP_HD value_type operator()(value_type a, const value_type& b) const {
    fold_fields(a, b);
    return a;
  }

  DUOMAP_HD void fold_fields(value_type& into, const value_type& more) const {
    typename group_rows<Values>::reduce{}.fold_fields(into.numbers, more.numbers);
    for (unsigned p = 0; p < plan.count; ++p) {
      const row_pick& pick = plan.picks[p];
      fold_rows(into.rows + pick.first_row, more.rows + pick.first_row, pick.rows);
    }
  }
};

/// The state keeps places of rows, not their texts, so that it has a fixed size. The host reads the picked
/// rows again after the run (picked_values.hpp).
template <unsigned Values, unsigned Rows>
struct pick_rows {
  using format = fields;
  using key = byte_view;
  using state = picked_state<Values, Rows>;
  using reduce = fold_picks<Values, Rows>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  group_rows<Values> grouped;
  pick_plan picks;

  [[nodiscard]] format records() const { return grouped.records(); }
  [[nodiscard]] reduce reduction() const { return {picks}; }
  [[nodiscard]] DUOMAP_HD byte_view fault_key(char* bytes) const { return grouped.fault_key(bytes); }

  DUOMAP_HD void map(const field_list& row, auto& emit) const {
    const std::int64_t place = row_place(row.whole().source, row.whole().offset);
    grouped.visit(row, [&](byte_view bytes, const group_state<Values>& numbers, std::uint32_t present) {
      emit(bytes, state_of(numbers, present, place));
    });
  }

 private:
  DUOMAP_HD state state_of(const group_state<Values>& numbers, std::uint32_t present,
                           std::int64_t place) const {
    state made;
    made.numbers = numbers;
    for (unsigned p = 0; p < picks.count; ++p) {
      const row_pick& pick = picks.picks[p];
      if (pick.skips_missing && (present >> pick.column & 1) == 0) continue;
      std::int64_t number = 0;
      if (pick.order == pick_order::least || pick.order == pick_order::greatest) {
        if (numbers.count[pick.by] == 0) continue;
        number = numbers.least[pick.by];
        // -0.0 equals 0.0.
        if (grouped.plan.types[pick.by].real && number == ordered_bits(-0.0)) number = ordered_bits(0.0);
      }
      made.rows[pick.first_row] = candidate(pick.order, number, place);
    }
    return made;
  }
};

template <class Task>
inline constexpr bool is_pick_task = false;
template <unsigned Values, unsigned Rows>
inline constexpr bool is_pick_task<pick_rows<Values, Rows>> = true;

}  // namespace duomap::apps
