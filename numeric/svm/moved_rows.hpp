// Converts rows to another type, and first moves them so that this type tells them apart.
// host only
#pragma once

#include "numeric/common/matrix.hpp"
#include "numeric/common/sparse_matrix.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Numbers to subtract from some columns, which ascend.
struct row_centre {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

/// Finds the numbers to subtract, because float32 lacks the digits for numbers that are far from 0 compared
/// with their differences (times in seconds). A column with such numbers gets the median of some rows; other
/// columns get nothing, and neither do columns in which a sparse row has no number. Only kernels that depend
/// on differences alone have a centre: rbf, and linear when the weights of the rows add up to 0.
template <class T>
[[nodiscard]] row_centre centre_of(const svm_rows_of<T>& rows, kernel_kind kernel);

/// Owns the moved copy, if there is one. T is float or double.
template <class T>
class moved_rows {
 public:
  /// Subtracts `centre` from `rows`. Does not copy rows that stay the same.
  template <class From>
  moved_rows(const svm_rows_of<From>& rows, const row_centre& centre);
  moved_rows(const moved_rows&) = delete;
  moved_rows& operator=(const moved_rows&) = delete;
  ~moved_rows() = default;

  [[nodiscard]] const svm_rows_of<T>& rows() const noexcept { return rows_; }

 private:
  matrix<T> dense_;
  sparse_matrix<T> sparse_;
  svm_rows_of<T> rows_;
};

}  // namespace duomap
