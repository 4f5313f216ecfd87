// Chooses between OpenBLAS and the ordered kernels for products on the CPU.
#include "numeric/common/cpu_product.hpp"

#include "cpu/blas/ordered_product.hpp"
#include "cpu/features.hpp"
#include "numeric/common/openblas.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace duomap {
namespace {

/// Whether OpenBLAS's 32-bit integers hold all `sizes`: rows, columns and strides.
bool fits_openblas(std::initializer_list<std::uint64_t> sizes) {
  return std::max(sizes) <= static_cast<std::uint64_t>(std::numeric_limits<int>::max());
}

int size(std::uint64_t number) { return static_cast<int>(number); }

int operation(bool transposed) { return transposed ? openblas::transposed : openblas::not_transposed; }

// Loading OpenBLAS pays from this number of operations on. Its threads first keep the cores busy for some 30
// ms, about as long as these operations take.
constexpr double worth_loading = 1e9;

/// Returns OpenBLAS, or nullptr when duomap's ordered kernels compute the product.
const openblas* openblas_for(product_kind kind, double operations,
                             std::initializer_list<std::uint64_t> sizes) {
  if (computed_in_order(kind, operations) || !fits_openblas(sizes)) return nullptr;
  return &loaded_openblas();
}

/// `gemm`: OpenBLAS's function that multiplies matrices of T.
template <class T, class Gemm>
void multiply(Gemm openblas::*gemm, product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
              operand<T> left, operand<T> right, result_operand<T> out, double operations) {
  const openblas* const blas =
      openblas_for(kind, operations, {m, n, k, left.stride, right.stride, out.stride});
  if (blas == nullptr) return cpu::multiply_in_order(m, n, k, left, right, out);
  (blas->*gemm)(openblas::row_major, openblas::not_transposed, operation(right.transposed), size(m), size(n),
                size(k), 1, left.data, size(left.stride), right.data, size(right.stride), 0, out.data,
                size(out.stride));
}

}  // namespace

// With AVX-512 on AMD's processors, the ordered product is 1.5 times as fast as Debian's OpenBLAS 0.3.21,
// which has no such kernel for them. With Intel's AVX-512, and with AVX2, OpenBLAS is faster (decision 39).
bool computed_in_order(product_kind kind, double operations) {
  if (kind == product_kind::ordered) return true;
  if (cpu::active_vector_path() == cpu::vector_path::avx512) {
    if (operations < worth_loading) return true;
    if (!loaded_openblas().has_avx512) return true;
  }
  return !loaded_openblas().problem.empty();
}

void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<float> left, operand<float> right, result_operand<float> out,
                     double operations) {
  multiply(&openblas::sgemm, kind, m, n, k, left, right, out, operations);
}

void multiply_on_cpu(product_kind kind, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                     operand<double> left, operand<double> right, result_operand<double> out,
                     double operations) {
  multiply(&openblas::dgemm, kind, m, n, k, left, right, out, operations);
}

}  // namespace duomap
