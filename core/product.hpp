// Products of matrices: what is multiplied, and how. host safe
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

/// How a product's terms are rounded and added.
enum class product_kind {
  plain,    ///< each term and each sum in the matrices' own type, in the order that is fastest
  ordered,  ///< in the order of the terms, each by one fused multiply-add: the same bits everywhere
  tf32,     ///< float on GPUs that have it: factors rounded to 10 bits; elsewhere as plain
};

}  // namespace duomap
