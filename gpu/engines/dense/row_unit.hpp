// Loads rows whose width is known at compile time into registers, in whole 16-byte words. host safe
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

/// Tasks whose rows have a constant width:
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
  /// The largest power of two that divides a row's bytes decides the number of rows.
  static constexpr unsigned rows = row_bytes % 16 == 0 ? 1 : 16 / (row_bytes & (0u - row_bytes));
  static constexpr unsigned bytes = rows * row_bytes;
};

/// The most bytes of rows that a thread maps at a time. The next rows, being loaded, take as much again.
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

/// Tasks whose rows are loaded in row units.
template <class Task>
concept has_row_units = detail::unit_fits_registers<Task>();

/// Tasks that map several records at a time with `map_batch(records, emit)` (docs/reference/task.md).
template <class Task, unsigned Several>
concept maps_batch = requires(const Task t, const typename Task::format::record (&records)[Several],
                              archetype_emitter<Task>& emit) {
  t.map_batch(records, emit);
};

}  // namespace duomap::gpu
