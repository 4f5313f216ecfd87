// Turns inner products into kernel values. For device code.
#pragma once

#include "numeric/svm/svm_problem.hpp"

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

  /// The kernel value of two rows, from their inner product and squared norms, in T. `same`: both are one
  /// row.
  template <class T>
  [[nodiscard]] __device__ float operator()(T product, T square, T other_square, bool same) const {
    const auto x = static_cast<float>(product);
    switch (kind) {
      case kernel_kind::linear:
        return x;
      case kernel_kind::polynomial: {
        float base = gamma * x + coef0;
        float power = 1;
        for (std::uint32_t left = degree; left > 0; left /= 2) {
          if (left % 2 == 1) power *= base;
          base *= base;
        }
        return power;
      }
      case kernel_kind::rbf:
        return same ? 1 : expf(-gamma * fmaxf(static_cast<float>(square + other_square - 2 * product), 0.0f));
      case kernel_kind::sigmoid:
        return tanhf(gamma * x + coef0);
    }
    return 0;
  }
};

}  // namespace duomap::gpu
