// Learns how long an executor takes for a step over a part of the data.
#pragma once

#include "scheduler/models/linear_fit.hpp"

#include <vector>

namespace duomap::scheduler {

/// seconds = fixed + grains * per_grain, fitted after each step to the known sizes. The time of a size is the
/// median of its last five steps. After two steps it is the shorter time, because a first step loads code and
/// data. If the newest size is off by more than a quarter, the device's speed has changed, and earlier sizes
/// are forgotten.
class step_model {
 public:
  /// Adds one step. Requires grains > 0 and seconds > 0.
  void add(double grains, double seconds);

  [[nodiscard]] bool known() const noexcept { return per_grain_ > 0; }
  /// The largest known size; 0 if none is known.
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

  std::vector<visit> visits_;  // one for each size; the newest is last
  bool has_line_ = false;
  double fixed_ = 0;
  double per_grain_ = 0;
  range expected_;  // of the newest size's time: at first from older sizes, then from its own first steps
};

/// The median, or the smaller one of two values.
[[nodiscard]] double typical(const std::vector<double>& values);

}  // namespace duomap::scheduler
