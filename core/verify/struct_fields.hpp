// Takes any struct apart into its fields.
// host only
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace duomap {

namespace detail {

struct any_field {
  template <class T>
  operator T() const;  // NOLINT: implicit, to initialise aggregates in requires-expressions
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), any_field{})...}; };
}

/// Whether field `sizeof...(Before)` of T may have braces around one value. An array then gets only this
/// value.
template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_in_braces(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires {
    T{(static_cast<void>(Before), any_field{})..., {any_field{}}, (static_cast<void>(After), any_field{})...};
  };
}

/// Initialises a base class of T, but no field.
template <class T>
struct any_base {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};

/// The number of fields of an aggregate without arrays; 9 if there are more.
template <class T, std::size_t Most = 9>
constexpr std::size_t field_count() {
  if constexpr (Most == 0 || takes<T>(std::make_index_sequence<Most>{})) {
    return Most;
  } else {
    return field_count<T, Most - 1>();
  }
}

/// An array takes one value in braces, and several without braces. So if there is an array, the other values
/// do not fit into the other fields.
template <class T, std::size_t Count, std::size_t... I>
constexpr bool has_array(std::index_sequence<I...>) {
  return ((takes_in_braces<T>(std::make_index_sequence<I>{}, std::index_sequence<>{}) &&
           !takes_in_braces<T>(std::make_index_sequence<I>{}, std::make_index_sequence<Count - I - 1>{})) ||
          ...);
}

template <class T>
constexpr bool can_be_split() {
  if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>) {
    constexpr std::size_t count = field_count<T>();
    constexpr bool has_base = requires { T{any_base<T>{}}; };
    return count > 0 && count < 9 && !has_base && !has_array<T, count>(std::make_index_sequence<count>{});
  } else {
    return false;
  }
}

}  // namespace detail

/// Whether T is a struct of one to eight fields, without arrays and without a base class.
template <class T>
inline constexpr bool has_fields = detail::can_be_split<T>();

/// Calls use(field, field, ...) with all fields of a struct.
template <class T, class Use>
  requires has_fields<T>
decltype(auto) with_fields(const T& content, Use&& use) {
  constexpr std::size_t count = detail::field_count<T>();
  if constexpr (count == 1) {
    const auto& [a] = content;
    return use(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = content;
    return use(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = content;
    return use(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = content;
    return use(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = content;
    return use(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = content;
    return use(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = content;
    return use(a, b, c, d, e, f, g);
  } else {
    const auto& [a, b, c, d, e, f, g, h] = content;
    return use(a, b, c, d, e, f, g, h);
  }
}

}  // namespace duomap
