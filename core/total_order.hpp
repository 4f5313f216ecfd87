// Minimum, maximum, argmin and argmax of floating-point numbers, with the same bits for any order of the
// values.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace duomap {

/// Ranks any two different floating-point numbers. Numbers rank as by < (or >), and -0.0 below 0.0. NaN come
/// behind all numbers, and are ranked by their bits.
template <bool LargestFirst>
struct number_order {
  template <std::floating_point F>
  [[nodiscard]] DUOMAP_HD constexpr bool operator()(F a, F b) const {
    if (a == b || (a != a && b != b)) return LargestFirst ? bits(a) < bits(b) : bits(b) < bits(a);
    if (a != a || b != b) return b != b;
    return LargestFirst ? b < a : a < b;
  }

  /// Orders by score, and equal scores by index.
  template <std::floating_point F>
  [[nodiscard]] DUOMAP_HD constexpr bool operator()(const scored<F>& a, const scored<F>& b) const {
    const bool tie = a.score == b.score || (a.score != a.score && b.score != b.score);
    return tie && a.index != b.index ? a.index < b.index : (*this)(a.score, b.score);
  }

 private:
  template <std::floating_point F>
  [[nodiscard]] DUOMAP_HD static constexpr auto bits(F number) {
    return std::bit_cast<std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>>(number);
  }
};

/// Keeps the value that ranks first. For zeros of both signs, and for several NaN, it always keeps the same
/// one; minimum, maximum, argmin and argmax keep any of them.
template <class V, class Order>
struct first_in_order {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& b) const {
    return Order{}(b, a) ? b : a;
  }

  /// The value of the result. Any NaN becomes that of std::numeric_limits: processors compute different NaN.
  [[nodiscard]] static constexpr V answer(V first) {
    if constexpr (std::floating_point<V>) {
      if (first != first) first = std::numeric_limits<V>::quiet_NaN();
    } else {
      if (first.score != first.score) first.score = std::numeric_limits<decltype(first.score)>::quiet_NaN();
    }
    return first;
  }

  /// Compares the bits, so that NaN is equal to itself.
  [[nodiscard]] constexpr bool equivalent(const V& a, const V& b) const {
    return !Order{}(a, b) && !Order{}(b, a);
  }
};

}  // namespace duomap
