// Keeps the multipliers of a training problem, and computes the two conditions of its optimum.
// host only
#pragma once

#include "numeric/svm/svm_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duomap {

/// The multiplier of one row, and how far it may still move.
struct multiplier {
  double alpha = 0;
  double c = 1;
  bool positive = true;  ///< whether the label is +1

  /// Whether alpha y may grow (I_up) or shrink (I_low).
  [[nodiscard]] bool in_up() const noexcept { return positive ? alpha < c : alpha > 0; }
  [[nodiscard]] bool in_low() const noexcept { return positive ? alpha > 0 : alpha < c; }
  /// The amount by which alpha y can grow, or shrink.
  [[nodiscard]] double room_up() const noexcept { return positive ? c - alpha : alpha; }
  [[nodiscard]] double room_down() const noexcept { return positive ? alpha : c - alpha; }

  /// Adds `by` to alpha y. If |by| is the whole `room`, alpha lands on its bound exactly.
  void move(double by, double room) noexcept {
    const double change = positive ? by : -by;
    if (by == room || by == -room) {
      alpha = change > 0 ? c : 0;
    } else {
      alpha = std::clamp(alpha + change, 0.0, c);
    }
  }
};

/// Solves the problem for the multipliers `up` of I_up and `low` of I_low, whose f differ by `gap` > 0. The
/// curvature is K_uu + K_ll - 2 K_ul. Returns how far alpha y of `up` grew and alpha y of `low` shrank.
inline double step(multiplier& up, multiplier& low, double gap, double curvature) noexcept {
  constexpr double least_curvature = 1e-12;  // LIBSVM's value, for kernels that are not positive definite
  const double room_up = up.room_up(), room_down = low.room_down();
  const double by = std::min({gap / (curvature > 0 ? curvature : least_curvature), room_up, room_down});
  up.move(by, room_up);
  low.move(-by, room_down);
  return by;
}

/// All multipliers, and f = y G = sum_j alpha_j y_j K(x_j, x) - y of each row.
struct multipliers {
  std::vector<multiplier> of_row;
  std::vector<double> f;

  /// Starts with the problem's multipliers. f is not theirs yet, but the f of multipliers that are all 0.
  explicit multipliers(const svm_problem& problem) : of_row(problem.labels.size()), f(problem.labels.size()) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      const bool positive = problem.labels[i] > 0;
      of_row[i] = {.alpha = problem.start.empty() ? 0 : problem.start[i],
                   .c = positive ? problem.positive_c : problem.negative_c,
                   .positive = positive};
      f[i] = positive ? -1 : 1;
    }
  }
};

/// The largest -f of I_up and the smallest of I_low.
struct bounds {
  double up = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();

  [[nodiscard]] double gap() const noexcept { return up - low; }
};

[[nodiscard]] inline bounds bounds_of(const multipliers& all) {
  bounds found;
  for (std::size_t i = 0; i < all.f.size(); ++i) {
    if (all.of_row[i].in_up()) found.up = std::max(found.up, -all.f[i]);
    if (all.of_row[i].in_low()) found.low = std::min(found.low, -all.f[i]);
  }
  return found;
}

/// The number of steps of two multipliers that are left until the problem's limit, or else LIBSVM's.
[[nodiscard]] inline std::uint64_t remaining_iterations(const svm_problem& problem) {
  const std::uint64_t most = problem.max_iterations > 0
                                 ? problem.max_iterations
                                 : std::max<std::uint64_t>(10'000'000, 100 * problem.rows.rows);
  return most - std::min(most, problem.iterations_before);
}

/// Detects that the gap no longer shrinks, because float32 kernel values do not tell the rows apart. Training
/// then goes on in float64.
class stagnation {
 public:
  /// Whether the gap has failed to shrink by a tenth for many steps.
  [[nodiscard]] bool seen(double gap, std::uint64_t iterations) noexcept {
    if (gap < 0.9 * least_) {
      least_ = gap;
      since_ = iterations;
    }
    return iterations - since_ > steps_without;
  }

 private:
  static constexpr std::uint64_t steps_without = 200'000;
  double least_ = std::numeric_limits<double>::infinity();
  std::uint64_t since_ = 0;
};

/// A trainer's solution, from its final multipliers and their f.
[[nodiscard]] svm_solution solution_of(const multipliers& all, double tolerance);

}  // namespace duomap
