// Field-wise sums of a struct of numbers whose floating-point fields do not depend on the order of addition.
#pragma once

#include "core/config.hpp"
#include "core/reduce_fields.hpp"
#include "core/reproducible.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace duomap {

namespace detail {

/// A floating-point number becomes a reproducible sum, integers stay.
template <class N>
struct reproducible_number {
  using type = N;
};
template <std::floating_point N>
struct reproducible_number<N> {
  using type = reproducible<N>;
};

/// The numbers of one field, those of an array one after the other.
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

  friend constexpr bool operator==(const reproducible_field&, const reproducible_field&) = default;
};

}  // namespace detail

/// What sum_fields<Fields...> adds up, as sum<reproducible_fields<Fields...>> does it in any order. Made of
/// one struct by conversion; value() gives the struct of the sums, and throws as reproducible::value() does.
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

  /// Host only.
  [[nodiscard]] owner value() const {
    owner all;
    (detail::reproducible_field<Fields>::give(all), ...);
    return all;
  }
};

}  // namespace duomap
