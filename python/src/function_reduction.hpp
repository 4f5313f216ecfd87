// Declares the reductions of tasks whose map is a Python function. The operation is chosen at run time.
#pragma once

#include "core/config.hpp"
#include "core/reduce.hpp"

#include <cstdint>
#include <limits>

namespace duomap::python {

enum class function_operation : std::uint8_t { sum, minimum, maximum };

/// The operation is a member. As a template parameter it would compile every task three times.
template <class V>
struct function_reduction {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  function_operation operation = function_operation::sum;

  [[nodiscard]] DUOMAP_HD V identity() const {
    using limits = std::numeric_limits<V>;
    if (operation == function_operation::sum) return V{};
    if constexpr (limits::has_quiet_NaN) return limits::quiet_NaN();
    return operation == function_operation::minimum ? limits::max() : limits::lowest();
  }
  [[nodiscard]] DUOMAP_HD V operator()(const V& a, const V& b) const {
    if (operation == function_operation::sum) return duomap::sum<V>{}(a, b);
    return operation == function_operation::minimum ? minimum<V>{}(a, b) : maximum<V>{}(a, b);
  }
};

}  // namespace duomap::python
