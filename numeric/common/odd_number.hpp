// Explains why a text is not read as a number, or why a number is refused.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "numeric/common/decimal.hpp"

#include <string>

namespace duomap {

/// The reason why a text is not read as a number, if its notation is the reason: "its decimal sign is a
/// comma".
struct odd_number {
  std::string why;               ///< empty: the text is nothing like a number
  bool other_delimiter = false;  ///< with another delimiter the text would be several fields
};

/// Explains a field that is not a number.
[[nodiscard]] odd_number odd_number_in(byte_view field);

/// Explains why float or double cannot take a number: "'1e39' is too large for float32". Empty when the
/// number is finite. `any`: NaN and infinity are no problem.
template <class T>
[[nodiscard]] std::string number_problem(const decimal<T>& number, byte_view text, bool any);

}  // namespace duomap
