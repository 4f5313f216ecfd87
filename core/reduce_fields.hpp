// Reductions of a struct of numbers. Each field has a reduction of its own.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <concepts>
#include <cstddef>
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

/// Calls visit(number, others...) for a number, or for every number of an array in order.
template <class Visit, class Number, class... Others>
DUOMAP_HD constexpr void visit_numbers(Visit&& visit, Number& number, Others&... others) {
  if constexpr (std::is_array_v<Number>)
    for (std::size_t i = 0; i < std::extent_v<Number>; ++i) visit_numbers(visit, number[i], others[i]...);
  else
    visit(number, others...);
}

}  // namespace detail

/// A field of a struct, which is a number or an array of numbers, and its reduction: sum, minimum, maximum.
template <auto Member, template <class> class Reduction>
struct field_by {
  using place = detail::member_of<decltype(Member)>;
  using reduction = Reduction<typename place::number>;
  static constexpr auto member = Member;
};

/// Reduces a struct of numbers and arrays of numbers, each field by its own reduction. `Fields` must name all
/// fields: a field without a reduction would keep the value of one operand. A GPU reduces field after field
/// if it can do so without a lock, and otherwise locks the value.
template <class... Fields>
struct reduce_fields {
  using value_type = std::common_type_t<typename Fields::place::owner...>;
  static_assert((std::same_as<value_type, typename Fields::place::owner> && ...), "fields of one struct");
  static_assert((std::is_arithmetic_v<typename Fields::place::number> && ...), "fields of numbers");
  static_assert((sizeof(typename Fields::place::field) + ...) + alignof(value_type) > sizeof(value_type),
                "every field of the struct must be named");
  static constexpr bool associative = (Fields::reduction::associative && ...);
  static constexpr bool commutative = (Fields::reduction::commutative && ...);

  [[nodiscard]] DUOMAP_HD constexpr value_type identity() const
      requires(std::same_as<typename Fields::reduction, sum<typename Fields::place::number>>&&...) {
    return value_type{};
  }

  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(value_type a, const value_type& b) const {
    fold_fields(a, b);
    return a;
  }

  DUOMAP_HD constexpr void fold_fields(value_type& into, const value_type& more) const {
    (combine<typename Fields::reduction>(into.*Fields::member, more.*Fields::member), ...);
  }

  /// Calls visit(number) for every number of the struct, in the order in which the fields are named.
  template <class Value, class Visit>
  DUOMAP_HD static constexpr void for_each_number(Value& value, Visit&& visit) {
    (detail::visit_numbers(visit, value.*Fields::member), ...);
  }

 private:
  template <class Reduction, class Numbers>
  DUOMAP_HD static constexpr void combine(Numbers& to, const Numbers& from) {
    detail::visit_numbers([](auto& a, const auto& b) { a = Reduction{}(a, b); }, to, from);
  }
};

/// Adds each field: sum_fields<&point_sum::at, &point_sum::points>.
template <auto... Members>
using sum_fields = reduce_fields<field_by<Members, sum>...>;

namespace detail {

template <class R>
inline constexpr bool is_sum_fields = false;
template <auto... Fields>
inline constexpr bool is_sum_fields<sum_fields<Fields...>> = true;

}  // namespace detail

}  // namespace duomap
