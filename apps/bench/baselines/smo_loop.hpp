// Plain programs for support vector machines: what duomap is measured against, and what its objectives and
// answers are compared with. host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap::apps {

/// What separates two classes: exp(-gamma |x - y|^2) is the kernel, C the same for all rows.
struct smo_problem {
  matrix_view<float> rows;
  std::span<const double> labels;  ///< of each row 1 or -1
  double gamma = 1;
  double c = 1;
  double epsilon = 1e-3;  ///< b_low and b_high may differ by so much in the end
};

struct smo_solution {
  std::vector<double> multipliers;  ///< of each row
  double rho = 0;
  double objective = 0;  ///< half the quadratic form less the sum of the multipliers
};

/// Sequential minimal optimisation with the first-order choice of pairs, in doubles on one thread: algorithm
/// 1 of Catanzaro, Sundaram and Keutzer (STMCS 2008), kernel rows computed when they are needed.
[[nodiscard]] smo_solution train_in_loops(const smo_problem& problem);

/// For each row the sum over all vectors of coefficient times kernel, less rho: a loop over rows, vectors and
/// columns.
[[nodiscard]] std::vector<double> decide_in_loops(matrix_view<float> rows, matrix_view<float> vectors,
                                                  std::span<const double> coefficients, double gamma,
                                                  double rho);

}  // namespace duomap::apps
