// Bounds the rounding error of a row's decision values, kernel by kernel.
#include "numeric/svm/rounding_bound.hpp"

#include <algorithm>
#include <cmath>

namespace duomap {

rounding_bound::rounding_bound(const svm_model& model, const prepared_vectors<float>& vectors)
  : kernel_(model.kernel), weights_(model.pairs()) {
  for (const float norm : vectors.norms()) largest_norm_ = std::max(largest_norm_, static_cast<double>(norm));
  for_each_weight(
      model, [&](std::uint64_t pair, std::uint64_t, double weight) { weights_[pair] += weight * weight; });
  for (double& weight : weights_) weight = std::sqrt(weight);
}

double rounding_bound::error_of_kernel(double norm) const {
  constexpr double digit = 0x1p-22;
  const double product = std::sqrt(norm * largest_norm_);
  const double scaled = std::abs(kernel_.gamma) * product + std::abs(kernel_.coef0);
  switch (kernel_.kind) {
    case kernel_kind::linear:
      return digit * product;
    case kernel_kind::polynomial:
      return digit * kernel_.degree * std::pow(scaled, kernel_.degree);
    case kernel_kind::rbf:
      return digit * (1 + kernel_.gamma * (norm + largest_norm_));
    case kernel_kind::sigmoid:
      return digit * (1 + scaled);
  }
  return 0;
}

bool rounding_bound::doubts(float norm, std::span<const double> values) const {
  const double error = 4 * error_of_kernel(static_cast<double>(norm));
  for (std::size_t pair = 0; pair < values.size(); ++pair) {
    const double wrong_by = error * weights_[pair], value = std::abs(values[pair]);
    // The condition is negated, so that NaN values are doubted, too.
    if (!(wrong_by < value && wrong_by < 0.1 * std::max(1.0, value))) return true;
  }
  return false;
}

}  // namespace duomap
