// Computes the gradient of a training problem with the linear kernel from its normal vector.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/svm/multipliers.hpp"
#include "numeric/svm/svm_problem.hpp"

namespace duomap {

/// Sets f of each row to w . x - y, where w = sum_j alpha_j y_j x_j. Sums have twice float64's precision:
/// with features of 10^9, w is a small difference of numbers that are 10^18 times as large.
void compute_linear_f(const svm_rows_of<double>& rows, multipliers& all, worker_pool& pool);

/// Whether the kernel is linear and w, with a number for each column, is not too large.
[[nodiscard]] inline bool has_linear_f(const svm_rows_of<double>& rows, kernel_kind kernel) {
  constexpr std::uint64_t most_columns = std::uint64_t{1} << 24;
  return kernel == kernel_kind::linear && rows.columns <= most_columns;
}

}  // namespace duomap
