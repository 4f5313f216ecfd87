// The reductions of functions, of which one is chosen when the task is made.
#pragma once

#include "core/config.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace duomap::python {

enum class function_operation : std::uint8_t { sum, minimum, maximum };

/// A template for each operation would have every task compiled three times.
template <class V>
struct function_reduction {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  function_operation operation = function_operation::sum;

  [[nodiscard]] DUOMAP_HD V identity() const {
    using limits = std::numeric_limits<V>;
    if (operation == function_operation::sum) return V{};
    if (operation == function_operation::minimum)
      return limits::has_infinity ? limits::infinity() : limits::max();
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
  [[nodiscard]] DUOMAP_HD V operator()(const V& a, const V& b) const {
    if (operation == function_operation::sum) return static_cast<V>(a + b);
    return operation == function_operation::minimum ? std::min(a, b) : std::max(a, b);
  }
};

}  // namespace duomap::python
