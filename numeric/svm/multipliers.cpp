// Makes a solution out of the final multipliers: objective, gap and rho.
#include "numeric/svm/multipliers.hpp"

namespace duomap {

svm_solution solution_of(const multipliers& all, double tolerance) {
  svm_solution solution;
  solution.alpha.reserve(all.f.size());
  double free_sum = 0;
  std::uint64_t free_rows = 0;
  for (std::size_t i = 0; i < all.f.size(); ++i) {
    const multiplier& one = all.of_row[i];
    solution.alpha.push_back(one.alpha);
    // The objective is 1/2 sum alpha (G - 1), because the gradient G = y f already has -1 from the linear
    // term.
    solution.objective += 0.5 * one.alpha * ((one.positive ? all.f[i] : -all.f[i]) - 1);
    if (one.alpha > 0 && one.alpha < one.c) {
      free_sum += all.f[i];
      ++free_rows;
    }
  }
  const bounds found = bounds_of(all);
  solution.gap = std::max(0.0, found.gap());
  solution.converged = found.gap() < tolerance;
  // Up to tolerance, f is the same in all rows strictly between their bounds. Without such rows, rho may be
  // any number between the two bounds of f.
  if (free_rows > 0) {
    solution.rho = free_sum / static_cast<double>(free_rows);
  } else if (found.gap() > -std::numeric_limits<double>::infinity()) {
    solution.rho = -(found.up + found.low) / 2;
  }
  return solution;
}

}  // namespace duomap
