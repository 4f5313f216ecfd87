// Declares the reductions of Python functions on GPUs. All values are 8-byte words whose type is chosen at
// run time. A C++ type for each would compile the kernels three times.
#pragma once

#include "core/config.hpp"
#include "function_reduction.hpp"

#include <bit>
#include <cstdint>

namespace duomap::python {

enum class word_type : std::uint8_t { i8, u8, f8 };

struct word_reduction {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  function_operation operation = function_operation::sum;
  word_type type = word_type::u8;

  [[nodiscard]] DUOMAP_HD value_type identity() const {
    if (type == word_type::i8) return word(function_reduction<std::int64_t>{operation}.identity());
    if (type == word_type::f8) return word(function_reduction<double>{operation}.identity());
    return function_reduction<std::uint64_t>{operation}.identity();
  }
  [[nodiscard]] DUOMAP_HD value_type operator()(const value_type& a, const value_type& b) const {
    if (type == word_type::i8) return reduced<std::int64_t>(a, b);
    if (type == word_type::f8) return reduced<double>(a, b);
    return reduced<std::uint64_t>(a, b);
  }

 private:
  template <class V>
  [[nodiscard]] DUOMAP_HD static value_type word(const V& value) {
    return std::bit_cast<value_type>(value);
  }
  template <class V>
  [[nodiscard]] DUOMAP_HD value_type reduced(value_type a, value_type b) const {
    return word(function_reduction<V>{operation}(std::bit_cast<V>(a), std::bit_cast<V>(b)));
  }
};

}  // namespace duomap::python
