// Keeps one reduced value into which many threads fold, by the cheapest way that the reduction allows. host
// safe
#pragma once

#include "core/reduce.hpp"
#include "gpu/runtime/atomic.hpp"

#include <atomic>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace duomap::gpu {

/// The way in which threads fold a value into a cell.
enum class update_kind {
  add,   ///< the hardware's atomic addition
  swap,  ///< compare-and-swap of 4 or 8 bytes, from a start value that changes no other value
  lock,  ///< a lock in the cell: for values of any size, and for reductions without an identity
};

namespace detail {

template <class R>
inline constexpr bool adds_natively = false;
// Floating point is left out: a cell starts with 0.0 and so gives 0.0 for a sum of -0.0, where the CPU gives
// -0.0.
template <class V>
inline constexpr bool adds_natively<sum<V>> =
    std::integral<V> && !std::same_as<V, bool> && (sizeof(V) == 4 || sizeof(V) == 8);

/// Whether the reduction has a start value that changes no other value: the identity, or an end of the range
/// for minimum and maximum of integers.
template <class R>
inline constexpr bool has_start = has_identity<R>;
template <std::integral V>
inline constexpr bool has_start<minimum<V>> = true;
template <std::integral V>
inline constexpr bool has_start<maximum<V>> = true;

template <class R>
[[nodiscard]] DUOMAP_HD constexpr typename R::value_type start_of(const R& reduce) {
  return reduce.identity();
}
template <std::integral V>
[[nodiscard]] DUOMAP_HD constexpr V start_of(const minimum<V>&) {
  return std::numeric_limits<V>::max();
}
template <std::integral V>
[[nodiscard]] DUOMAP_HD constexpr V start_of(const maximum<V>&) {
  return std::numeric_limits<V>::lowest();
}

/// The unsigned type as large as V.
template <class V>
using bits_of = std::conditional_t<sizeof(V) == 4, unsigned int, unsigned long long>;

template <class To, class From>
[[nodiscard]] DUOMAP_HD To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace detail

template <reduction R>
[[nodiscard]] constexpr update_kind update_kind_of() {
  using value = typename R::value_type;
  if (detail::adds_natively<R>) return update_kind::add;
  if (detail::has_start<R> && std::is_integral_v<value> && (sizeof(value) == 4 || sizeof(value) == 8))
    return update_kind::swap;
  return update_kind::lock;
}

/// A cell for one value. clear() must be followed by a barrier or the end of the kernel. read() must come
/// after a barrier or in a later kernel, and only if a value was folded in. So folds need to order no other
/// memory access.
template <reduction R, thread_scope Scope, update_kind Kind = update_kind_of<R>()>
struct value_cell;

template <reduction R, thread_scope Scope>
struct value_cell<R, Scope, update_kind::add> {
  using value = typename R::value_type;
  using bits = detail::bits_of<value>;
  bits total;

  DUOMAP_HD void clear(const R&) { total = 0; }
  DUOMAP_HD void fold(const value& v, const R&) {
    atomic_ref<bits, Scope>(total).fetch_add(static_cast<bits>(v));
  }
  [[nodiscard]] DUOMAP_HD value read() const { return static_cast<value>(total); }
};

// Shared memory adds 32 bits in hardware, but 64 bits by a loop of compare-and-swap. So this cell adds the
// two halves separately. If the low half wraps around, the high half gets a carry.
template <reduction R>
  requires(sizeof(typename R::value_type) == 8)
struct value_cell<R, thread_scope::block, update_kind::add> {
  using value = typename R::value_type;
  using half = atomic_ref<unsigned, thread_scope::block>;
  unsigned low;
  unsigned high;

  DUOMAP_HD void clear(const R&) { low = high = 0; }
  DUOMAP_HD void fold(const value& v, const R&) {
    const auto bits = static_cast<std::uint64_t>(v);
    const auto low_part = static_cast<std::uint32_t>(bits);
    const std::uint32_t before = half(low).fetch_add(low_part);
    const std::uint32_t carried =
        static_cast<std::uint32_t>(bits >> 32) + (before + low_part < before ? 1 : 0);
    if (carried != 0) half(high).fetch_add(carried);
  }
  [[nodiscard]] DUOMAP_HD value read() const { return static_cast<value>(std::uint64_t{high} << 32 | low); }
};

template <reduction R, thread_scope Scope>
struct value_cell<R, Scope, update_kind::swap> {
  using value = typename R::value_type;
  using bits = detail::bits_of<value>;
  bits held;

  DUOMAP_HD void clear(const R& reduce) { held = detail::same_bits<bits>(detail::start_of(reduce)); }
  DUOMAP_HD void fold(const value& v, const R& reduce) {
    const atomic_ref<bits, Scope> cell(held);
    bits seen = cell.load(std::memory_order_relaxed);
    while (true) {
      const value combined = reduce(detail::same_bits<value>(seen), v);
      const bits wanted = detail::same_bits<bits>(combined);
      if (wanted == seen || cell.compare_exchange(seen, wanted, std::memory_order_relaxed)) return;
    }
  }
  [[nodiscard]] DUOMAP_HD value read() const { return detail::same_bits<value>(held); }
};

template <reduction R, thread_scope Scope>
struct value_cell<R, Scope, update_kind::lock> {
  using value = typename R::value_type;
  static constexpr unsigned empty = 0;
  static constexpr unsigned locked = 1;
  static constexpr unsigned full = 2;
  unsigned state;
  value held;

  DUOMAP_HD void clear(const R&) { state = empty; }
  DUOMAP_HD void fold(const value& v, const R& reduce) {
    hold([&](bool has_value) { held = has_value ? value(reduce(held, v)) : v; });
  }
  /// Folds an emit. An item changes little of a value, so no value is made of it.
  DUOMAP_HD void fold_emitted(const emit_type<R>& emitted, const R& reduce) {
    hold([&](bool has_value) { duomap::fold_emit(reduce, held, has_value, emitted); });
  }
  [[nodiscard]] DUOMAP_HD value read() const { return held; }

 private:
  /// Calls change(has_value) under the lock.
  template <class Change>
  DUOMAP_HD void hold(const Change& change) {
    const atomic_ref<unsigned, Scope> lock(state);
    // Each pass of the loop either takes the lock, folds and releases the lock, or does nothing. So a thread
    // that holds the lock never waits for another thread of its warp.
    for (bool done = false; !done;) {
      // A load before the exchange, because the exchanges of waiting threads delay the one that holds the
      // lock.
      if (lock.load(std::memory_order_relaxed) == locked) continue;
      const unsigned before =
          lock.exchange(locked, std::memory_order_acquire);  // acquire: sees the last holder's value
      if (before == locked) continue;
      change(before == full);
      lock.store(full, std::memory_order_release);
      done = true;
    }
  }
};

/// Folds an emit of map, a value or an item, into a cell of any kind.
template <class Cell, reduction R>
DUOMAP_HD void fold_into(Cell& cell, const emit_type<R>& emitted, const R& reduce) {
  if constexpr (takes_items<R> && requires { cell.fold_emitted(emitted, reduce); }) {
    cell.fold_emitted(emitted, reduce);
  } else {
    cell.fold(value_of_emit(reduce, emitted), reduce);
  }
}

}  // namespace duomap::gpu
