// How long an executor takes for a step over a part of the data, learned from the steps it has done.
#pragma once

#include "scheduler/models/linear_fit.hpp"

#include <cstddef>
#include <vector>

namespace duomap::scheduler {

/// seconds = fixed + grains * per_grain, after each step fitted anew to the sizes that were seen. What a size
/// took is the median of its last five steps, the smaller of the first two: a first step loads code and data.
/// Sizes seen earlier are forgotten when what they say is off by more than a quarter: the device has become
/// another one.
class step_model {
 public:
  /// Of one step: grains > 0, seconds > 0.
  void add(double grains, double seconds);

  [[nodiscard]] bool known() const noexcept { return per_grain_ > 0; }
  /// The largest size that it knows; 0 when none.
  [[nodiscard]] double largest() const noexcept;
  /// Whether sizes are known that differ enough to tell the fixed cost.
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
  range expected_;  // of the newest size: before it was tried, and then by its first steps
};

/// Appends to at most `most` values, of which the oldest goes.
void keep_last(std::vector<double>& values, double value, std::size_t most);

/// The median; of two values the smaller.
[[nodiscard]] double typical(const std::vector<double>& values);

}  // namespace duomap::scheduler
