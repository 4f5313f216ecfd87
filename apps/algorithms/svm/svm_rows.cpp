#include "apps/algorithms/svm/kernel_rows.hpp"
#include "apps/algorithms/svm/svm.hpp"

namespace duomap {

svm_rows rows_of(const sparse_matrix<float>& sparse) {
  return {.rows = sparse.rows(),
          .columns = sparse.columns,
          .row_start = sparse.row_start,
          .column_of = sparse.column_of,
          .values = sparse.values};
}

svm_rows rows_of(matrix_view<float> dense) {
  return {.rows = dense.rows, .columns = dense.columns, .dense = dense.values()};
}

bool stays_sparse(const svm_rows& rows) {
  // A sparse number takes about four times as long as one of a dense product.
  return rows.is_sparse() && rows.entries() * 4 < rows.rows * rows.columns;
}

svm_layout::svm_layout(const svm_rows& rows) : rows_(rows) {
  if (!rows.is_sparse() || stays_sparse(rows)) return;
  dense_ = dense_of(rows);
  rows_ = rows_of(dense_.view());
}

}  // namespace duomap
