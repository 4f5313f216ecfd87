// Describes products of matrices: the operands, and how their terms are added and rounded. host safe
#pragma once

#include <cstdint>

namespace duomap {

/// A factor of a product: row i begins at data + i * stride. If marked as transposed, its transpose is used.
template <class T>
struct operand {
  const T* data = nullptr;
  std::uint64_t stride = 0;
  bool transposed = false;
};

/// The matrix that receives a product.
template <class T>
struct result_operand {
  T* data = nullptr;
  std::uint64_t stride = 0;
};

/// The ways to round and add the terms of a product.
enum class product_kind {
  plain,    ///< each term and each sum in the matrices' own type, in the order that is fastest
  ordered,  ///< in the order of the terms, each by one fused multiply-add: the same bits everywhere
  tf32,     ///< float on GPUs that have it: factors rounded to 10 bits; elsewhere as plain
};

}  // namespace duomap
