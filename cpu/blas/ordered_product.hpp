// Matrix products whose terms are added in the order of k, each by one fused multiply-add: the same bits
// whatever part of the product is computed where, and those of GPUs (gpu/blas/ordered_product.cuh).
#pragma once

#include "core/product.hpp"

#include <cstdint>

namespace duomap::cpu {

/// out = left * right, or left * right^T when `right` is transposed, on the calling thread: `left` has m rows
/// of k numbers and is not transposed, `right` k rows of n (transposed: n rows of k), `out` m rows of n. With
/// AVX-512 or with AVX2 and FMA; without them each term costs a call of std::fma.
void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left,
                       operand<float> right, result_operand<float> out);
void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                       operand<double> right, result_operand<double> out);

}  // namespace duomap::cpu
