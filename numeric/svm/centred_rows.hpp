// Converts rows to another type, and moves them first if this type could not tell them apart.
// host only
#pragma once

#include "numeric/common/matrix.hpp"
#include "numeric/common/sparse_matrix.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// The numbers to subtract from some columns. The columns ascend.
struct row_centre {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

/// Finds the numbers to subtract. float32 lacks the digits for columns that are far from 0 compared with
/// their differences, such as times in seconds. Each such column gets the median of some rows, unless a
/// sparse row has no number there. Only kernels that depend on differences alone have a centre: rbf, and
/// linear when the weights of the rows add up to 0.
template <class T>
[[nodiscard]] row_centre centre_of(const svm_rows_of<T>& rows, kernel_kind kernel);

/// Owns the moved copy, if there is one. T is float or double.
template <class T>
class centred_rows {
 public:
  /// Subtracts `centre` from `rows`. Does not copy rows that stay the same.
  template <class From>
  centred_rows(const svm_rows_of<From>& rows, const row_centre& centre);
  centred_rows(const centred_rows&) = delete;
  centred_rows& operator=(const centred_rows&) = delete;
  ~centred_rows() = default;

  [[nodiscard]] const svm_rows_of<T>& rows() const noexcept { return rows_; }

 private:
  matrix<T> dense_;
  sparse_matrix<T> sparse_;
  svm_rows_of<T> rows_;
};

}  // namespace duomap
