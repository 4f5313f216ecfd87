// The map from inner products to kernel values. For device code.
#pragma once

#include "apps/svm/svm_problem.hpp"

#include <cstdint>

namespace duomap::gpu {

struct kernel_map {
  kernel_kind kind;
  float gamma;
  float coef0;
  std::uint32_t degree;

  explicit kernel_map(const svm_kernel& from)
    : kind(from.kind),
      gamma(static_cast<float>(from.gamma)),
      coef0(static_cast<float>(from.coef0)),
      degree(from.degree) {}

  /// Of two rows with this inner product and these squares.
  [[nodiscard]] __device__ float operator()(float product, float square, float other_square) const {
    switch (kind) {
      case kernel_kind::linear:
        return product;
      case kernel_kind::polynomial: {
        float base = gamma * product + coef0;
        float power = 1;
        for (std::uint32_t left = degree; left > 0; left /= 2) {
          if (left % 2 == 1) power *= base;
          base *= base;
        }
        return power;
      }
      case kernel_kind::rbf:
        return expf(-gamma * fmaxf(square + other_square - 2 * product, 0.0f));
      case kernel_kind::sigmoid:
        return tanhf(gamma * product + coef0);
    }
    return 0;
  }
};

/// Rows [first, first + rows) of a kernel matrix, in place of the products.
static __global__ void map_kernel_rows(float* values, std::uint64_t stride, std::uint64_t first,
                                       std::uint64_t rows, std::uint32_t columns, const float* squares,
                                       kernel_map map) {
  for (std::uint64_t r = blockIdx.y; r < rows; r += gridDim.y) {
    const float square = squares[first + r];
    float* const row = values + r * stride;
    for (std::uint32_t c = blockIdx.x * blockDim.x + threadIdx.x; c < columns; c += gridDim.x * blockDim.x) {
      row[c] = first + r == c && map.kind == kernel_kind::rbf ? 1.0f : map(row[c], square, squares[c]);
    }
  }
}

}  // namespace duomap::gpu
