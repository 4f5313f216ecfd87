#include "apps/algorithms/svm/multipliers.hpp"

namespace duomap {

svm_solution solution_of(const multipliers& all, double epsilon) {
  svm_solution solution;
  solution.alpha.reserve(all.f.size());
  double free_sum = 0;
  std::uint64_t free_rows = 0;
  for (std::size_t i = 0; i < all.f.size(); ++i) {
    const multiplier& one = all.of_row[i];
    solution.alpha.push_back(one.alpha);
    // G - 1 where G = y f is the gradient, of which the linear term has given -1.
    solution.objective += 0.5 * one.alpha * ((one.positive ? all.f[i] : -all.f[i]) - 1);
    if (one.alpha > 0 && one.alpha < one.c) {
      free_sum += all.f[i];
      ++free_rows;
    }
  }
  const bounds found = bounds_of(all);
  solution.gap = std::max(0.0, found.gap());
  solution.converged = found.gap() < epsilon;
  // f is the same for all rows between their bounds, but for what epsilon leaves; else anything between.
  if (free_rows > 0) {
    solution.rho = free_sum / static_cast<double>(free_rows);
  } else if (found.gap() > -std::numeric_limits<double>::infinity()) {
    solution.rho = -(found.up + found.low) / 2;
  }
  return solution;
}

}  // namespace duomap
