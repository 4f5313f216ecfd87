// Steps two multipliers at a time until the optimality gap is at most epsilon.
#include "bench/baselines/smo_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duomap::apps {
namespace {

double kernel_of(std::span<const float> a, std::span<const float> b, double gamma) {
  double squares = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double difference = double{a[c]} - double{b[c]};
    squares += difference * difference;
  }
  return std::exp(-gamma * squares);
}

}  // namespace

smo_solution train_in_loops(const smo_problem& problem) {
  const std::uint64_t rows = problem.rows.rows;
  const auto kernel = [&](std::uint64_t i, std::uint64_t j) {
    return kernel_of(problem.rows.row(i), problem.rows.row(j), problem.gamma);
  };
  smo_solution found{std::vector<double>(rows), 0, 0};
  std::vector<double>& alpha = found.multipliers;
  std::vector<double> f(rows);  // sum of alpha_j y_j K_ij, less y_i
  std::ranges::transform(problem.labels, f.begin(), [](double label) { return -label; });
  while (true) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::uint64_t high = 0, low = 0;
    double b_high = infinity, b_low = -infinity;
    for (std::uint64_t i = 0; i < rows; ++i) {
      const bool positive = problem.labels[i] > 0;
      const bool can_grow = alpha[i]<problem.c, can_shrink = alpha[i]> 0;
      if ((positive ? can_grow : can_shrink) && f[i] < b_high) b_high = f[high = i];
      if ((positive ? can_shrink : can_grow) && f[i] > b_low) b_low = f[low = i];
    }
    found.rho = (b_high + b_low) / 2;
    if (b_low <= b_high + problem.epsilon) break;
    // Both multipliers move along the constraint. The step ends at their optimum, or where one reaches a
    // bound.
    const double y_high = problem.labels[high], y_low = problem.labels[low];
    const double curvature = std::max(2 - 2 * kernel(high, low), 1e-12);
    double step = (b_low - b_high) / curvature;
    step = std::min(step, y_high > 0 ? problem.c - alpha[high] : alpha[high]);
    step = std::min(step, y_low > 0 ? alpha[low] : problem.c - alpha[low]);
    alpha[high] = std::clamp(alpha[high] + y_high * step, 0.0, problem.c);
    alpha[low] = std::clamp(alpha[low] - y_low * step, 0.0, problem.c);
    for (std::uint64_t i = 0; i < rows; ++i) f[i] += step * (kernel(high, i) - kernel(low, i));
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    const double y = problem.labels[i];
    found.objective += 0.5 * alpha[i] * y * (f[i] + y) - alpha[i];
  }
  return found;
}

std::vector<double> decide_in_loops(matrix_view<float> rows, matrix_view<float> vectors,
                                    std::span<const double> coefficients, double gamma, double rho) {
  std::vector<double> values(rows.rows, -rho);
  for (std::uint64_t r = 0; r < rows.rows; ++r) {
    for (std::uint64_t v = 0; v < vectors.rows; ++v)
      values[r] += coefficients[v] * kernel_of(rows.row(r), vectors.row(v), gamma);
  }
  return values;
}

}  // namespace duomap::apps
