// Chooses the layout of rows that makes their products fastest.
// host only
#pragma once

#include "numeric/common/matrix.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"

namespace duomap {

/// Dense copies of `rows` where dense products are faster; else `rows` themselves.
template <class T>
class svm_layout {
 public:
  explicit svm_layout(const svm_rows_of<T>& rows) : rows_(rows) {
    if (!rows.is_sparse() || stays_sparse(rows)) return;
    dense_ = dense_of(rows);
    rows_ = rows_of(dense_.view());
  }

  [[nodiscard]] const svm_rows_of<T>& rows() const noexcept { return rows_; }

 private:
  matrix<T> dense_;
  svm_rows_of<T> rows_;
};

}  // namespace duomap
