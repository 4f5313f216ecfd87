// Multiplies matrices on a device, by cuBLAS or by duomap's own kernel. For host code; its users need nvcc.
#pragma once

#include "core/product.hpp"
#include "gpu/blas/cublas.cuh"
#include "gpu/blas/ordered_product.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap::gpu {

/// Queues matrix products on one stream. cuBLAS computes them, or duomap's own kernel, which adds terms in a
/// fixed order and needs no cuBLAS. Used by one thread.
class device_product {
 public:
  /// Works on the calling thread's current device. `on` must outlive this object.
  device_product(product_kind kind, const stream& on) : on_(on) {
    if (kind == product_kind::ordered) return;
    if (cublas_problem().empty()) {
      blas_.emplace(on, kind == product_kind::tf32);
    } else {
      note_ = "products are computed by duomap's own kernel, which is slower: " + cublas_problem();
    }
  }

  /// Queues out = left * right, or left * right^T if `right` is transposed. `left` has m rows of k numbers,
  /// `right` has k rows of n numbers (transposed: n rows of k), `out` has m rows of n numbers; all are in
  /// device memory.
  template <class T>
  void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
                result_operand<T> out) const {
    if (blas_) {
      blas_->multiply(m, n, k, left, right, out);
    } else {
      multiply_in_order(m, n, k, left, right, out, on_);
    }
  }

  /// A sentence for the run's report; empty if there is nothing to report.
  [[nodiscard]] const std::string& note() const noexcept { return note_; }

 private:
  const stream& on_;
  std::optional<cublas> blas_;
  std::string note_;
};

}  // namespace duomap::gpu
