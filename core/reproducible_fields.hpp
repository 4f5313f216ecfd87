// Sums of the fields of a struct. Floating-point fields do not depend on the order of additions.
#pragma once

#include "core/config.hpp"
#include "core/reduce_fields.hpp"
#include "core/reproducible.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace duomap {

namespace detail {

/// The type that adds up numbers of type N: a reproducible sum for floating point, N itself for integers.
template <class N>
struct reproducible_number {
  using type = N;
};
template <std::floating_point N>
struct reproducible_number<N> {
  using type = reproducible<N>;
};

/// The sums of one field: one number, or the numbers of an array one after the other.
template <auto Field>
struct reproducible_field {
  using owner = typename member_of<decltype(Field)>::owner;
  using plain_number = typename member_of<decltype(Field)>::number;
  using number = typename reproducible_number<plain_number>::type;
  static constexpr std::size_t count =
      sizeof(typename member_of<decltype(Field)>::field) / sizeof(plain_number);

  number numbers[count];

  DUOMAP_HD constexpr void take(const owner& from) {
    std::size_t i = 0;
    const auto use = [&](const plain_number& one) {
      numbers[i++] = one;
    };
    visit_numbers(use, from.*Field);
  }
  DUOMAP_HD constexpr void add(const reproducible_field& other) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<number>(numbers[i] + other.numbers[i]);
  }
  void give(owner& to) const {
    std::size_t i = 0;
    const auto use = [&](plain_number& one) {
      if constexpr (std::floating_point<plain_number>) {
        one = numbers[i++].value();
      } else {
        one = numbers[i++];
      }
    };
    visit_numbers(use, to.*Field);
  }

  template <class Check>
  void check_stored(const Check& check) const {
    if constexpr (std::floating_point<plain_number>) {
      for (const number& one : numbers) one.check_stored(check);
    }
  }

  friend constexpr bool operator==(const reproducible_field&, const reproducible_field&) = default;
};

}  // namespace detail

/// The sums of the fields of a struct, as sum_fields<Fields...> adds them, but the same in any order. The
/// struct converts to this type. value() gives the struct of the sums, and throws like reproducible::value().
template <auto... Fields>
class reproducible_fields : detail::reproducible_field<Fields>... {
 public:
  using owner = std::common_type_t<typename detail::member_of<decltype(Fields)>::owner...>;

  reproducible_fields() = default;
  DUOMAP_HD constexpr reproducible_fields(const owner& from) {
    (detail::reproducible_field<Fields>::take(from), ...);
  }

  [[nodiscard]] friend DUOMAP_HD constexpr reproducible_fields operator+(const reproducible_fields& a,
                                                                         const reproducible_fields& b) {
    reproducible_fields both = a;
    (both.detail::template reproducible_field<Fields>::add(b), ...);
    return both;
  }
  friend constexpr bool operator==(const reproducible_fields&, const reproducible_fields&) = default;

  /// Host only, as is value().
  template <class Check>
  void check_stored(const Check& check) const {
    (detail::reproducible_field<Fields>::check_stored(check), ...);
  }
  [[nodiscard]] owner value() const {
    owner all;
    (detail::reproducible_field<Fields>::give(all), ...);
    return all;
  }
};

}  // namespace duomap
