// Chooses the way in which threads fold values into a shared accumulator, by the properties of the reduction.
// host safe
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"

#include <concepts>
#include <limits>
#include <type_traits>

namespace duomap::gpu {

/// Ways to fold into a shared accumulator. The first is the cheapest, the last works for all reductions.
enum class fold_kind {
  numbers,  ///< the hardware's atomic addition, number by number
  swap,     ///< compare-and-swap of 4 or 8 bytes
  lock,     ///< a lock beside the value
};

namespace detail {

template <class N>
inline constexpr bool is_added_by_hardware =
    std::is_arithmetic_v<N> && !std::same_as<N, bool> && (sizeof(N) == 4 || sizeof(N) == 8);

template <class R>
inline constexpr bool is_sum_of_numbers = false;
template <class V>
inline constexpr bool is_sum_of_numbers<sum<V>> = is_added_by_hardware<V>;
template <auto... Fields>
inline constexpr bool is_sum_of_numbers<sum_fields<Fields...>> =
    (is_added_by_hardware<typename duomap::detail::member_of<decltype(Fields)>::number> && ...);

template <class R, class V = typename R::value_type>
inline constexpr bool is_end_of_range = std::integral<V> &&
                                        (std::same_as<R, minimum<V>> || std::same_as<R, maximum<V>>);

}  // namespace detail

/// Calls visit(number) for each number of a value that is added number by number, in a fixed order.
template <class R, class Value, class Visit>
DUOMAP_HD constexpr void for_each_number(Value& value, Visit&& visit) {
  if constexpr (duomap::detail::is_sum_fields<R>) {
    R::for_each_number(value, visit);
  } else {
    visit(value);
  }
}

/// The value with which a sum starts; adding it changes no number. For floating point it is -0.0, because 0.0
/// plus -0.0 gives 0.0.
template <class N>
[[nodiscard]] DUOMAP_HD constexpr N start_number() {
  if constexpr (std::is_floating_point_v<N>) {
    return -N{0};
  } else {
    return N{0};
  }
}

/// Whether the reduction has a start value, which changes no value that is reduced with it. Without a start
/// value, an accumulator must store whether it has a value.
template <class R>
inline constexpr bool has_start_value =
    detail::is_sum_of_numbers<R> || detail::is_end_of_range<R> || has_identity<R>;

template <class R>
  requires has_start_value<R>
[[nodiscard]] DUOMAP_HD constexpr typename R::value_type start_value(const R& reduce) {
  using value = typename R::value_type;
  if constexpr (detail::is_sum_of_numbers<R>) {
    value start{};
    for_each_number<R>(
        start, [](auto& number) { number = start_number<std::remove_reference_t<decltype(number)>>(); });
    return start;
  } else if constexpr (detail::is_end_of_range<R>) {
    using limits = std::numeric_limits<value>;
    return std::same_as<R, minimum<value>> ? limits::max() : limits::lowest();
  } else {
    return reduce.identity();
  }
}

/// Chooses the way to fold for a reduction. Without a start value, a value of up to four bytes is swapped
/// together with a word that says whether the value is present.
template <reduction R>
[[nodiscard]] constexpr fold_kind fold_kind_of() {
  if (detail::is_sum_of_numbers<R>) return fold_kind::numbers;
  if (sizeof(typename R::value_type) <= (has_start_value<R> ? 8 : 4)) return fold_kind::swap;
  return fold_kind::lock;
}

}  // namespace duomap::gpu
