// Declares sparse matrices, stored row by row (compressed sparse rows).
// host only
#pragma once

#include "core/untouched_allocator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// Row r holds the numbers values[k] in the columns column_of[k], for k from row_start[r] to row_start[r + 1]
/// - 1. Columns count from 0, and ascend within a row. All other numbers are 0.
template <class T>
struct sparse_matrix {
  /// A vector whose resize() leaves new elements unset. So the workers that parse the text touch the memory
  /// first.
  template <class Element>
  using untouched = std::vector<Element, untouched_allocator<Element>>;

  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_start{0};
  untouched<std::uint32_t> column_of;
  untouched<T> values;

  [[nodiscard]] std::uint64_t rows() const noexcept { return row_start.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> columns_of_row(std::uint64_t row) const {
    return std::span(column_of).subspan(row_start[row], row_start[row + 1] - row_start[row]);
  }
  [[nodiscard]] std::span<const T> values_of_row(std::uint64_t row) const {
    return std::span(values).subspan(row_start[row], row_start[row + 1] - row_start[row]);
  }
};

}  // namespace duomap
