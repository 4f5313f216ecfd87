// Describes an array in a binary file, as its header does.
// host only
#pragma once

#include "numeric/common/element.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// An array of `shape`, whose elements follow `data_offset` without gaps. The first dimension counts rows.
struct array_header {
  element_type type;
  std::vector<std::uint64_t> shape;
  /// Whether the elements are stored column by column, so that the first index varies fastest.
  bool fortran_order = false;
  std::uint64_t data_offset = 0;
};

}  // namespace duomap
