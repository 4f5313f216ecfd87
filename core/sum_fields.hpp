// Reduction: field-wise sums of a struct of numbers.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace duomap {

namespace detail {

template <class>
struct member_of;
template <class Struct, class Field>
struct member_of<Field Struct::*> {
  using owner = Struct;
  using field = Field;
  using number = std::remove_all_extents_t<Field>;
};

template <auto First, auto... More>
struct owner_of {
  using type = typename member_of<decltype(First)>::owner;
};

/// Calls visit(number) for a number, or for every number of an array in order.
template <class Number, class Visit>
DUOMAP_HD constexpr void visit_numbers(Number& number, Visit& visit) {
  if constexpr (std::is_array_v<Number>) {
    for (std::size_t i = 0; i < std::extent_v<Number>; ++i) visit_numbers(number[i], visit);
  } else {
    visit(number);
  }
}

}  // namespace detail

/// a + b in every field, for a struct whose fields are numbers or arrays of numbers:
///   using reduce = duomap::sum_fields<&point_sum::at, &point_sum::points>;
/// All fields must be named: those that are not keep the value they have in one of the operands. A GPU adds
/// each field by an atomic operation, where another reduction of that size locks a value.
template <auto... Fields>
struct sum_fields {
  using value_type = typename detail::owner_of<Fields...>::type;
  static_assert((std::same_as<value_type, typename detail::member_of<decltype(Fields)>::owner> && ...),
                "all fields are of one struct");
  static_assert((std::is_arithmetic_v<typename detail::member_of<decltype(Fields)>::number> && ...),
                "fields are numbers or arrays of them");
  static_assert((sizeof(typename detail::member_of<decltype(Fields)>::field) + ...) + alignof(value_type) >
                    sizeof(value_type),
                "every field of the struct must be named");
  static constexpr bool associative = true;
  static constexpr bool commutative = true;

  [[nodiscard]] DUOMAP_HD constexpr value_type identity() const { return value_type{}; }

  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(const value_type& a, const value_type& b) const {
    value_type both = a;
    add_fields(both, b);
    return both;
  }

  DUOMAP_HD constexpr void add_fields(value_type& into, const value_type& more) const {
    (add(into.*Fields, more.*Fields), ...);
  }

  /// Calls visit(number) for every number of the struct, in the order in which the fields are named.
  template <class Value, class Visit>
  DUOMAP_HD static constexpr void for_each_number(Value& value, Visit&& visit) {
    (detail::visit_numbers(value.*Fields, visit), ...);
  }

 private:
  template <class Number>
  DUOMAP_HD static constexpr void add(Number& to, const Number& from) {
    if constexpr (std::is_array_v<Number>)
      for (std::size_t i = 0; i < std::extent_v<Number>; ++i) add(to[i], from[i]);
    else
      to = static_cast<Number>(to + from);
  }
};

namespace detail {

template <class R>
inline constexpr bool is_sum_fields = false;
template <auto... Fields>
inline constexpr bool is_sum_fields<sum_fields<Fields...>> = true;

}  // namespace detail

}  // namespace duomap
