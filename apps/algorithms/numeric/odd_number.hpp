// Numbers as people write them that are none here, and why.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// Why a text is no number, where that is a matter of how it is written: "its decimal sign is a comma".
struct odd_number {
  std::string why;               ///< empty: it is no number at all
  bool other_delimiter = false;  ///< it would be several fields with another delimiter
};

/// Of a field that is not a number.
[[nodiscard]] odd_number odd_number_in(byte_view field);

}  // namespace duomap
