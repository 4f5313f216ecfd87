// Products of matrices on the calling thread.
// host only
#pragma once

#include "core/product.hpp"

#include <cstdint>

namespace duomap {

/// out = left * right, or left * right^T when `right` is transposed: `left` has m rows of k numbers and is
/// not transposed, `right` k rows of n (transposed: n rows of k), `out` m rows of n. Many threads may call it
/// at once, each for a part of its own; `operations`, as in computed_in_order(), are those of all parts.
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<float> left, operand<float> right, result_operand<float> out,
                     double operations = 0);
void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<double> left, operand<double> right, result_operand<double> out,
                     double operations = 0);

/// Whether such a product of so many multiplications and additions (0: not known, not many) is computed in
/// order by kernels of duomap, for which a right factor that many threads share can be packed once
/// (cpu/blas/ordered_product.hpp); OpenBLAS packs it in each call.
[[nodiscard]] bool computed_in_order(product_kind kind, double operations = 0);

}  // namespace duomap
