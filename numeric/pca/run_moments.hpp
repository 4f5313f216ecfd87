// Computes the moments of a run of rows on one core.
// host only
#pragma once

#include "core/config.hpp"
#include "numeric/pca/moment_cells.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// The rows of a run, which are added up in the type of the data before they go into wider sums. Runs count
/// from the first row of the input, so that every split has the same runs.
inline constexpr std::uint32_t rows_of_run = torture ? 2 : 256;

/// Adds up runs of rows, one after another, about an origin: for each column the sum of x, for each two
/// columns the sum of x y, where x and y are differences to the origin, rounded to T. Each sum starts at 0
/// and takes row after row, and each product is one fused multiply-add: the same bits with any vector
/// instructions, and on GPUs (numeric/pca/moment_kernel.cuh).
///
/// The error of a sum of products over r rows is at most (r + 2) u times the sum of |x y|, with u = 2^-24 for
/// float and 2^-53 for double. Usually it is about the square root of r times u.
///
/// Only one thread may use it. T is float or double.
template <class T>
class run_moments {
 public:
  /// An object that the calling thread keeps for its next chunk; valid until the next call on the same
  /// thread.
  [[nodiscard]] static run_moments& of_this_thread(std::uint32_t columns, const T* origin);

  /// `origin` has `columns` numbers and must outlive this.
  run_moments(std::uint32_t columns, const T* origin);

  /// The moments of `rows` rows, at most rows_of_run, in the order of moment_cells. Valid until the next
  /// call.
  [[nodiscard]] const std::vector<T>& of(const T* data, std::uint64_t rows);

 private:
  void copy_tile(std::uint32_t i, std::uint32_t panel, const T* products);

  std::uint32_t columns_;
  const T* origin_;
  std::vector<T> centred_;  // the run's panels, one after another
  std::vector<T> cells_;
};

}  // namespace duomap
