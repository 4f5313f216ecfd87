// Learns how long an executor takes for a step over a part of the data.
#pragma once

#include "scheduler/models/linear_fit.hpp"

#include <vector>

namespace duomap::scheduler {

/// seconds = fixed + grains * per_grain, fitted anew to the known sizes after each step. The time of a size
/// is the median of its last five steps, or the shorter of the first two, because a first step loads code and
/// data. Earlier sizes are forgotten when the newest one is off by more than a quarter: the device's speed
/// has changed.
class step_model {
 public:
  /// Adds one step: grains > 0, seconds > 0.
  void add(double grains, double seconds);

  [[nodiscard]] bool known() const noexcept { return per_grain_ > 0; }
  /// The largest known size; 0 when none is known.
  [[nodiscard]] double largest() const noexcept;
  /// Whether the known sizes differ enough to show the fixed cost.
  [[nodiscard]] bool has_line() const noexcept { return has_line_; }
  [[nodiscard]] double fixed() const noexcept { return fixed_; }
  [[nodiscard]] double per_grain() const noexcept { return per_grain_; }
  [[nodiscard]] double seconds(double grains) const noexcept { return fixed_ + grains * per_grain_; }

 private:
  struct visit {
    double grains = 0;
    std::vector<double> last = {};
  };

  struct range {
    double least = 0;
    double most = 0;
  };

  void expect(double grains);
  void fit();

  std::vector<visit> visits_;  // of different sizes, the newest last
  bool has_line_ = false;
  double fixed_ = 0;
  double per_grain_ = 0;
  range expected_;  // for the newest size: at first from the older sizes, then from its first steps
};

/// The median; for an even number of values the smaller one of the two in the middle.
[[nodiscard]] double typical(const std::vector<double>& values);

}  // namespace duomap::scheduler
