// Declares plain functions for support vector machines: the baseline for duomap's speed and the reference for
// its objectives and answers.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap::apps {

/// The input for the training of a support vector machine with two classes. The kernel is exp(-gamma |x -
/// y|^2), and all rows have the same C.
struct smo_problem {
  matrix_view<float> rows;
  std::span<const double> labels;  ///< 1 or -1 for each row
  double gamma = 1;
  double c = 1;
  double epsilon = 1e-3;  ///< the largest b_low - b_high at which training stops
};

struct smo_solution {
  std::vector<double> multipliers;  ///< one for each row
  double rho = 0;
  double objective = 0;  ///< half the quadratic form less the sum of the multipliers
};

/// Trains by sequential minimal optimisation with the first-order choice of pairs, in doubles on one thread:
/// algorithm 1 of Catanzaro, Sundaram and Keutzer (STMCS 2008). Computes kernel values when it needs them.
[[nodiscard]] smo_solution train_in_loops(const smo_problem& problem);

/// Returns the decision value of each row: the sum of coefficient times kernel over all vectors, less rho.
/// Loops over rows, vectors and columns.
[[nodiscard]] std::vector<double> decide_in_loops(matrix_view<float> rows, matrix_view<float> vectors,
                                                  std::span<const double> coefficients, double gamma,
                                                  double rho);

}  // namespace duomap::apps
