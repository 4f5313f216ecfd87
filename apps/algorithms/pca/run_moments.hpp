// The moments of a run of rows, on one core.
// host only
#pragma once

#include "apps/algorithms/pca/moment_cells.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Rows that are added up in the type of the data before they go into wider sums, counted from the first of
/// the input, so that runs are the same wherever it is cut.
inline constexpr std::uint32_t rows_of_run = torture ? 2 : 256;

/// Adds up runs of rows, one after the other, about an origin: for each column the sum of x, for each two
/// columns the sum of x y, where x and y are differences to the origin, rounded to T. Each sum begins with 0
/// and takes row after row, products by one fused multiply-add each: the same bits with any vector
/// instructions, and on GPUs (apps/algorithms/pca/moment_kernel.cuh).
///
/// A sum of products of r rows is wrong by at most (r + 2) u times the sum of |x y|, u = 2^-24 for float and
/// 2^-53 for double, and usually by about the square root of r times u.
///
/// Used by one thread; T is float or double.
template <class T>
class run_moments {
 public:
  /// One that the calling thread keeps for its next chunk; good until the next call on the same thread.
  [[nodiscard]] static run_moments& of_this_thread(std::uint32_t columns, const T* origin);

  /// `origin` has `columns` numbers, which must outlive it.
  run_moments(std::uint32_t columns, const T* origin);

  /// The moments of `rows` rows, at most rows_of_run, each in its place of moment_cells. Good until the next
  /// call.
  [[nodiscard]] const std::vector<T>& of(const T* data, std::uint64_t rows);

 private:
  void copy_tile(std::uint32_t i, std::uint32_t panel, const T* products);

  std::uint32_t columns_;
  const T* origin_;
  std::vector<T> centred_;  // panel by panel
  std::vector<T> cells_;
};

}  // namespace duomap
