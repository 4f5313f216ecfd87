// Bounds the change of a row's decision values by rounding to float32.
// host only
#pragma once

#include "numeric/svm/cpu_decisions.hpp"
#include "numeric/svm/svm_model.hpp"

#include <span>
#include <vector>

namespace duomap {

/// The bound for one model. The errors of kernel values, some units of the last digit, are independent of
/// each other. So the error of a weighted sum grows with the root of the sum of the squared weights.
class rounding_bound {
 public:
  rounding_bound(const svm_model& model, const prepared_vectors<float>& vectors);

  /// Whether a decision value of the row (one for each pair of classes) may be wrong by a tenth, or have the
  /// wrong sign. `norm`: |x|^2 of the row.
  [[nodiscard]] bool doubts(float norm, std::span<const double> values) const;

 private:
  /// The largest error of a kernel value between the row and any support vector.
  [[nodiscard]] double error_of_kernel(double norm) const;

  svm_kernel kernel_;
  double largest_norm_ = 0;      ///< the largest |x|^2 of a support vector
  std::vector<double> weights_;  ///< for each pair, the root of the sum of its squared weights
};

}  // namespace duomap
