// The rows that a round of training works on: their choice, and the solution among them.
// host only
#pragma once

#include "apps/algorithms/svm/multipliers.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// At most `size` rows that violate the optimum most, half of them of I_up and half of I_low; equal ones by
/// index. Those of `before` come first in what room is left. Ascending, each once.
[[nodiscard]] std::vector<std::uint32_t> choose_working_set(const multipliers& all, const bounds& now,
                                                            std::size_t size, std::size_t kept,
                                                            const std::vector<std::uint32_t>& before);

/// A problem of a working set's rows alone.
class working_set {
 public:
  explicit working_set(std::size_t most);

  /// Begins with `rows` as they are in `all`. kernel() then has to be filled.
  void begin(const multipliers& all, const std::vector<std::uint32_t>& rows);

  /// K(row p, row i), `stride()` between rows.
  [[nodiscard]] float* kernel() noexcept { return kernel_.data(); }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

  /// Steps of two multipliers until they violate by less than `tolerance` among themselves, one at least and
  /// `most_steps` at most. Returns how many: 0 when kernel values are infinite or no numbers, which allow
  /// none.
  std::uint64_t solve(double tolerance, std::uint64_t most_steps);

  [[nodiscard]] const multiplier& solved(std::size_t index) const { return own_[index]; }

 private:
  void mark(std::size_t index);

  std::size_t stride_;
  std::size_t count_ = 0;
  std::vector<float> kernel_, f_, up_, low_, diagonal_;
  std::vector<multiplier> own_;
};

}  // namespace duomap
