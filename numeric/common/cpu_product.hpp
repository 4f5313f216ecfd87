// Multiplies matrices on the calling thread.
// host only
#pragma once

#include "core/product.hpp"

#include <cstdint>

namespace duomap {

/// Computes out = left * right, or left * right^T when `right` is transposed. `left` has m rows of k numbers
/// and is not transposed, `right` has k rows of n (transposed: n rows of k), `out` has m rows of n. Many
/// threads may call it at once, each for its own part of one product. `operations` is the number of
/// multiplications and additions of the whole product, for computed_in_order().
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<float> left, operand<float> right, result_operand<float> out,
                     double operations = 0);
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<double> left, operand<double> right, result_operand<double> out,
                     double operations = 0);

/// Whether duomap's kernels compute a product of `operations` multiplications and additions (0: unknown, not
/// many) in order. For these kernels, threads that share a right factor can pack it once
/// (cpu/blas/ordered_product.hpp); OpenBLAS packs it in each call.
[[nodiscard]] bool computed_in_order(product_kind kind, double operations = 0);

}  // namespace duomap
