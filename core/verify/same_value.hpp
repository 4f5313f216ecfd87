// Tells whether two values count as the same answer.
// host only
#pragma once

#include "core/verify/struct_fields.hpp"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

namespace duomap {

namespace detail {

/// One number in a value, and the epsilon of its type. The epsilon of a whole number is 0.
struct number_of_value {
  long double number;
  double epsilon;
};

/// Appends the numbers of a value, field by field. Returns false if the value has other fields than numbers.
template <class V>
bool add_numbers(const V& value, std::vector<number_of_value>& to) {
  if constexpr (std::is_arithmetic_v<V>) {
    const double epsilon = std::is_floating_point_v<V> ? double{std::numeric_limits<V>::epsilon()} : 0;
    to.push_back({static_cast<long double>(value), epsilon});
    return true;
  } else if constexpr (has_fields<V>) {
    return with_fields(value, [&](const auto&... field) { return (add_numbers(field, to) && ...); });
  } else {
    return false;
  }
}

/// The numbers of a value; none if it has other fields. A reduction may list them itself, as sum_fields does.
template <class Reduce, class V>
[[nodiscard]] std::vector<number_of_value> numbers_of(const V& value) {
  std::vector<number_of_value> all;
  const auto add = [&](const auto& number) {
    return add_numbers(number, all);
  };
  if constexpr (requires { Reduce::for_each_number(value, add); }) {
    Reduce::for_each_number(value, add);
  } else if (!add_numbers(value, all)) {
    all.clear();
  }
  return all;
}

}  // namespace detail

/// Whether two values count as the same answer. If the reduction has a function `equivalent(a, b)`, this
/// decides. Numbers and structs of numbers may differ by the rounding of a few operations on numbers as large
/// as those of `operands`. Other values are compared by ==, or by their bytes if they have no ==.
template <class Reduce, class V>
[[nodiscard]] bool same_value(const Reduce& reduce, const V& a, const V& b,
                              std::initializer_list<const V*> operands) {
  if constexpr (requires {
                  { reduce.equivalent(a, b) } -> std::convertible_to<bool>;
                }) {
    return reduce.equivalent(a, b);
  } else {
    const auto left = detail::numbers_of<Reduce>(a);
    if (!left.empty()) {
      const auto right = detail::numbers_of<Reduce>(b);
      std::vector<long double> scale(left.size());
      for (const V* const one : operands) {
        const auto its = detail::numbers_of<Reduce>(*one);
        for (std::size_t i = 0; i < its.size(); ++i) scale[i] += std::abs(its[i].number);
      }
      for (std::size_t i = 0; i < left.size(); ++i) {
        const long double x = left[i].number, y = right[i].number;
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        if (!(std::abs(x - y) <= 16 * left[i].epsilon * scale[i])) return false;
      }
      return true;
    }
    if constexpr (requires {
                    { a == b } -> std::convertible_to<bool>;
                  }) {
      return a == b;
    } else {
      return std::memcmp(&a, &b, sizeof a) == 0;
    }
  }
}

}  // namespace duomap
