// Chooses the rows of a round of training, and solves their problem.
// host only
#pragma once

#include "numeric/svm/multipliers.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Returns at most `size` rows, ascending. Up to `kept` places are for rows of `before`. The other places go
/// to the rows that violate the optimum most: half to rows of I_up, half to rows of I_low; of equal rows, the
/// smaller index wins. Rows of `before` fill the places that are left.
[[nodiscard]] std::vector<std::uint32_t> choose_working_set(const multipliers& all, const bounds& now,
                                                            std::size_t size, std::size_t kept,
                                                            const std::vector<std::uint32_t>& before);

/// The problem of a working set's rows alone, computed in T.
template <class T>
class working_set {
 public:
  explicit working_set(std::size_t most);

  /// Begins a working set of `rows`: copies their multipliers and their f (y G, see multipliers.hpp) from
  /// `all`. The caller then fills kernel().
  void begin(const multipliers& all, const std::vector<std::uint32_t>& rows);

  /// K(row p, row i), `stride()` between rows.
  [[nodiscard]] T* kernel() noexcept { return kernel_.data(); }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

  /// Takes steps of two multipliers until the rows violate the optimum of their own problem by less than
  /// `tolerance`. Takes at least one step, and at most `most_steps`. Returns the number of steps; 0 if the
  /// kernel values allow no step.
  std::uint64_t solve(double tolerance, std::uint64_t most_steps);

  /// Whether K(x, x) of a row is infinite or NaN.
  [[nodiscard]] bool overflows() const;

  [[nodiscard]] const multiplier& solved(std::size_t index) const { return own_[index]; }

 private:
  void mark(std::size_t index);

  std::size_t stride_;
  std::size_t count_ = 0;
  std::vector<T> kernel_, f_, up_, low_, diagonal_;
  std::vector<multiplier> own_;
};

}  // namespace duomap
