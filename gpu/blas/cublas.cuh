// Multiplies matrices by cuBLAS. For host code; needs CUDA's headers, but g++ compiles it too.
#pragma once

#include "core/product.hpp"
#include "gpu/blas/cublas.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// A cuBLAS handle that queues its work on one stream and has a workspace of its own. Used by one thread. All
/// matrices are in device memory, row by row, as everywhere in duomap.
class cublas {
 public:
  /// Works on the calling thread's current device. `on` must outlive this object. Products of float are
  /// computed and summed in float32. With `tf32`, a GPU that has TF32 first rounds the factors to TF32's 10
  /// bits.
  /// @throws device_unavailable if cublas_problem() is not empty
  cublas(const stream& on, bool tf32);
  cublas(const cublas&) = delete;
  cublas& operator=(const cublas&) = delete;
  ~cublas();

  /// Queues out = left * right, or left * right^T. `left` has m rows of k numbers, `right` has k rows of n
  /// numbers (n rows of k if it is transposed), `out` has m rows of n numbers.
  void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left, operand<float> right,
                result_operand<float> out) const;
  void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                operand<double> right, result_operand<double> out) const;

 private:
  device_buffer workspace_;
  int device_ = 0;
  void* handle_ = nullptr;
};

}  // namespace duomap::gpu
