// Matrices as products of them take them. host safe
#pragma once

#include <cstdint>

namespace duomap {

/// A matrix that is read: row i begins at data + i * stride. Transposed, what is multiplied is its transpose.
template <class T>
struct operand {
  const T* data = nullptr;
  std::uint64_t stride = 0;
  bool transposed = false;
};

/// A matrix that is written.
template <class T>
struct result_operand {
  T* data = nullptr;
  std::uint64_t stride = 0;
};

}  // namespace duomap
