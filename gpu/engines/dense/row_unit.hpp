// Rows whose width is known at compile time travel to registers in whole 16-byte words. host safe
#pragma once

#include "core/record/rows.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

template <class Format>
struct element_of_rows;
template <class T>
struct element_of_rows<rows<T>> {
  using type = T;
};

}  // namespace detail

/// The task's rows have a width that is a constant expression:
///   static constexpr format records() { return {.width = 2}; }
template <class Task>
concept has_constant_width = requires {
  typename detail::element_of_rows<typename Task::format>::type;
  typename std::integral_constant<std::uint32_t, Task::records().width>;
};

/// The fewest rows that fill whole 16-byte words.
template <class Task>
struct row_unit {
  using element = typename detail::element_of_rows<typename Task::format>::type;
  static constexpr std::uint32_t width = Task::records().width;
  static constexpr unsigned row_bytes = width * sizeof(element);
  /// The largest power of two that divides a row's bytes says how many rows it takes.
  static constexpr unsigned rows = row_bytes % 16 == 0 ? 1 : 16 / (row_bytes & (0u - row_bytes));
  static constexpr unsigned bytes = rows * row_bytes;
};

/// Most bytes of a thread's rows that are in registers at a time, and as many again are on their way.
inline constexpr unsigned most_unit_bytes = 64;

namespace detail {

template <class Task>
[[nodiscard]] constexpr bool unit_fits_registers() {
  if constexpr (has_constant_width<Task>) {
    return Task::records().width > 0 && row_unit<Task>::bytes <= most_unit_bytes;
  } else {
    return false;
  }
}

}  // namespace detail

/// Tasks whose rows are loaded in units.
template <class Task>
concept has_row_units = detail::unit_fits_registers<Task>();

namespace detail {

template <class Task, class Records, class Emit>
concept maps_batch_by_old_name = requires(const Task t, const Records& records, Emit& emit) {
  t.map_several(records, emit);
};

template <class Task, class Records, class Emit>
[[deprecated("map_several is called map_batch now")]] DUOMAP_HD void map_batch_by_old_name(
    const Task& task, const Records& records, Emit& emit) {
  task.map_several(records, emit);
}

}  // namespace detail

/// Tasks that map several records at a time: `map_batch(records, emit)`, see docs/reference/task.md. Up to
/// 0.1 it was called map_several.
template <class Task, unsigned Several>
concept maps_batch = requires(const Task t, const typename Task::format::record (&records)[Several],
                              archetype_emitter<Task>& emit) {
  t.map_batch(records, emit);
}
|| detail::maps_batch_by_old_name<Task, typename Task::format::record[Several], archetype_emitter<Task>>;

/// Calls it, by whichever name it has.
template <class Task, class Records, class Emit>
DUOMAP_HD void map_batch_of(const Task& task, const Records& records, Emit& emit) {
  if constexpr (detail::maps_batch_by_old_name<Task, Records, Emit>) {
    detail::map_batch_by_old_name(task, records, emit);
  } else {
    task.map_batch(records, emit);
  }
}

}  // namespace duomap::gpu
