// Multiplies matrices and adds the terms in the order of k, each by one fused multiply-add. So every CPU
// thread and every GPU computes the same bits (gpu/blas/ordered_product.cuh).
#pragma once

#include "core/product.hpp"
#include "core/zeroed_memory.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace duomap::cpu {

/// The right factor of a product, packed in the order in which the kernels read it. The first thread that
/// needs a part packs it for all threads. A thread that needs the part meanwhile packs a copy of its own. The
/// packed parts take about as much memory as the factor.
template <class T>
class packed_factor {
 public:
  /// `right` has k rows of n numbers (transposed: n rows of k), which must stay as they are.
  /// @throws out_of_memory
  packed_factor(std::uint64_t n, std::uint64_t k, operand<T> right);

  /// out = left * right for m rows of `left`, as multiply_in_order() does. Any number of threads may call it
  /// at once, each with an `out` of its own.
  void multiply(std::uint64_t m, operand<T> left, result_operand<T> out);

 private:
  enum class state : std::uint8_t { missing, being_packed, there };

  std::uint64_t n_;
  std::uint64_t k_;
  operand<T> right_;
  zeroed_memory packed_;
  std::vector<std::atomic<state>> states_;
};

/// out = left * right, or left * right^T when `right` is transposed, on the calling thread. `left` has m rows
/// of k numbers and is not transposed. `right` has k rows of n numbers (transposed: n rows of k), and `out`
/// has m rows of n. Uses AVX-512, or AVX2 with FMA. On other CPUs each term costs a call of std::fma.
void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left,
                       operand<float> right, result_operand<float> out);
void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                       operand<double> right, result_operand<double> out);

}  // namespace duomap::cpu
