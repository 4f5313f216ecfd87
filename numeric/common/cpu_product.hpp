// Multiplies matrices on the calling thread.
// host only
#pragma once

#include "core/product.hpp"

#include <cstdint>

namespace duomap {

/// Computes out = left * right, or left * right^T when `right` is transposed. `left`, which must not be
/// transposed, has m rows of k numbers, and `out` m rows of n. `right` has k rows of n numbers, or n rows of
/// k when it is transposed. Many threads may call this at once, each for a part of one product. `operations`:
/// the multiplications and additions of the whole product, for computed_in_order().
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<float> left, operand<float> right, result_operand<float> out,
                     double operations = 0);
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<double> left, operand<double> right, result_operand<double> out,
                     double operations = 0);

/// Whether duomap's ordered kernels, not OpenBLAS, compute a product of `operations` multiplications and
/// additions (0: unknown, not many). With these kernels, threads that share a right factor can pack the
/// factor once (cpu/blas/ordered_product.hpp). OpenBLAS packs it in each call.
[[nodiscard]] bool computed_in_order(product_kind kind, double operations = 0);

}  // namespace duomap
