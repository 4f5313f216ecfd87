// What the head of a binary file says of its numbers.
// host only
#pragma once

#include "apps/algorithms/numeric/element.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// An array of `shape`, whose elements stand at `data_offset` without gaps. The first dimension counts rows.
struct array_header {
  element_type type;
  std::vector<std::uint64_t> shape;
  /// The first index runs fastest, and not the last one.
  bool fortran_order = false;
  std::uint64_t data_offset = 0;
};

}  // namespace duomap
