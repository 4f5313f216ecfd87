#include "apps/algorithms/numeric/finite.hpp"
#include "apps/algorithms/svm/kernel_rows.hpp"
#include "apps/algorithms/svm/svm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

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

void require_finite(const svm_rows& rows, worker_pool& pool) {
  const std::string name = "rows";
  if (!rows.is_sparse())
    return require_finite(matrix_view<float>(rows.dense.data(), rows.rows, rows.columns), name, pool);
  const auto bad = std::ranges::find_if(rows.values, [](float value) { return !std::isfinite(value); });
  if (bad == rows.values.end()) return;
  const auto at = static_cast<std::uint64_t>(bad - rows.values.begin());
  const auto behind = std::ranges::upper_bound(rows.row_start, at);
  const auto row = static_cast<std::uint64_t>(behind - rows.row_start.begin()) - 1;
  const matrix<float> dense = dense_of(slice(rows, row, 1));
  throw_not_finite(dense.view().row(0), row, name);
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
