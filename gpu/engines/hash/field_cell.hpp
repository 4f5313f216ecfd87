// Keeps one reduced value into which many threads fold; a struct is folded field by field, if the reduction
// allows it. host safe
#pragma once

#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "gpu/engines/hash/value_cell.hpp"
#include "gpu/runtime/atomic.hpp"

#include <atomic>
#include <concepts>
#include <limits>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

/// A sum, minimum or maximum of floating-point values, by compare-and-swap from a start value that changes no
/// other value.
template <class R, thread_scope Scope>
struct real_cell {
  using value = typename R::value_type;
  using bits = bits_of<value>;
  // -0.0 changes no sum: with 0.0 it gives 0.0, with -0.0 it stays -0.0. Minimum and maximum replace NaN by
  // any value.
  static constexpr value start =
      std::same_as<R, sum<value>> ? -value{0} : std::numeric_limits<value>::quiet_NaN();
  bits held;

  DUOMAP_HD void clear(const R&) { held = same_bits<bits>(value{start}); }
  DUOMAP_HD void fold(const value& v, const R& reduce) {
    const atomic_ref<bits, Scope> cell(held);
    bits seen = cell.load(std::memory_order_relaxed);
    while (true) {
      const auto before = same_bits<value>(seen);
      const bits wanted = same_bits<bits>(reduce(before, v));
      if (wanted == seen || cell.compare_exchange(seen, wanted, std::memory_order_relaxed)) return;
    }
  }
  [[nodiscard]] DUOMAP_HD value read() const { return same_bits<value>(held); }
};

/// A cell of one number that threads fold into without a lock.
template <class R, thread_scope Scope>
using number_cell = std::conditional_t<std::is_floating_point_v<typename R::value_type>, real_cell<R, Scope>,
                                       value_cell<R, Scope>>;

/// Folds a number into its cell. A cell of another kind sees without an atomic operation that a number
/// changes nothing; an addition does not.
template <class Cell, class R>
DUOMAP_HD void fold_number(Cell& cell, const typename R::value_type& number, const R& reduce) {
  if constexpr (adds_natively<R>) {
    if (number == 0) return;
  }
  cell.fold(number, reduce);
}

template <class R>
inline constexpr bool needs_no_lock =
    std::integral<typename R::value_type>&& update_kind_of<R>() != update_kind::lock;
template <std::floating_point V>
inline constexpr bool needs_no_lock<sum<V>> = sizeof(V) <= 8;
template <std::floating_point V>
inline constexpr bool needs_no_lock<minimum<V>> = sizeof(V) <= 8;
template <std::floating_point V>
inline constexpr bool needs_no_lock<maximum<V>> = sizeof(V) <= 8;

/// The cells of some fields, one for each number.
template <thread_scope Scope, class... Fields>
struct field_cells {
  DUOMAP_HD void clear() {}
  template <class V>
  DUOMAP_HD void fold(const V&) {}
  template <class V>
  DUOMAP_HD void read(V&) const {}
};
template <thread_scope Scope, class First, class... Rest>
struct field_cells<Scope, First, Rest...> : field_cells<Scope, Rest...> {
  using reduction = typename First::reduction;
  using rest = field_cells<Scope, Rest...>;
  static constexpr unsigned count =
      sizeof(typename First::place::field) / sizeof(typename First::place::number);
  number_cell<reduction, Scope> cells[count];

  DUOMAP_HD void clear() {
    for (unsigned i = 0; i < count; ++i) cells[i].clear(reduction{});
    rest::clear();
  }
  template <class V>
  DUOMAP_HD void fold(const V& v) {
    unsigned i = 0;
    duomap::detail::visit_numbers([&](const auto& number) { fold_number(cells[i++], number, reduction{}); },
                                  v.*First::member);
    rest::fold(v);
  }
  template <class V>
  DUOMAP_HD void read(V& v) const {
    unsigned i = 0;
    duomap::detail::visit_numbers([&](auto& number) { number = cells[i++].read(); }, v.*First::member);
    rest::read(v);
  }
};

/// Pads the cells to an odd number of units, so that the cells of a table begin in all banks of shared
/// memory.
template <class Cells, bool IsEven = sizeof(Cells) / alignof(Cells) % 2 == 0>
struct odd_cells : Cells {};
template <class Cells>
struct odd_cells<Cells, true> : Cells {
  unsigned unused[alignof(Cells) / sizeof(unsigned)];
};

}  // namespace detail

/// A cell of one reduced value, with the functions of a value_cell.
template <reduction R, thread_scope Scope>
struct field_cell : value_cell<R, Scope> {
  static constexpr bool has_lock = update_kind_of<R>() == update_kind::lock;
};

template <thread_scope Scope, class... Fields>
  requires(detail::needs_no_lock<typename Fields::reduction>&&...)
struct field_cell<reduce_fields<Fields...>, Scope> {
  using reduce_type = reduce_fields<Fields...>;
  using value = typename reduce_type::value_type;
  using plain_cells = detail::field_cells<Scope, Fields...>;
  static constexpr bool has_lock = false;
  std::conditional_t<Scope == thread_scope::block, detail::odd_cells<plain_cells>, plain_cells> numbers;

  DUOMAP_HD void clear(const reduce_type&) { numbers.clear(); }
  DUOMAP_HD void fold(const value& v, const reduce_type&) { numbers.fold(v); }
  [[nodiscard]] DUOMAP_HD value read() const {
    value all{};
    numbers.read(all);
    return all;
  }
};

template <reduction R, thread_scope Scope>
  requires(std::floating_point<typename R::value_type>&& detail::needs_no_lock<R>)
struct field_cell<R, Scope> : detail::real_cell<R, Scope> {
  static constexpr bool has_lock = false;
};

}  // namespace duomap::gpu
