// Minimum, maximum, argmin and argmax of floating-point numbers that are the same to the last bit in any
// order of the values.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace duomap {

/// Ranks any two different floating-point numbers, also zeros of different sign and NaN, which < leaves open:
/// numbers as < (or >) does, -0.0 below 0.0, and NaN behind all numbers, by their bits.
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

/// The value that ranks first. minimum, maximum, argmin or argmax could give it, too, but this is always the
/// same one of zeros of both signs, and of several NaN.
template <class V, class Order>
struct first_in_order {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& b) const {
    return Order{}(b, a) ? b : a;
  }

  /// The value to return. Any NaN becomes the NaN of std::numeric_limits, because the NaN of a calculation
  /// differs between processors.
  [[nodiscard]] static constexpr V answer(V first) {
    if constexpr (std::floating_point<V>) {
      if (first != first) first = std::numeric_limits<V>::quiet_NaN();
    } else {
      if (first.score != first.score) first.score = std::numeric_limits<decltype(first.score)>::quiet_NaN();
    }
    return first;
  }

  /// Compares by bits, so that NaN is the same as itself.
  [[nodiscard]] constexpr bool equivalent(const V& a, const V& b) const {
    return !Order{}(a, b) && !Order{}(b, a);
  }
};

}  // namespace duomap
