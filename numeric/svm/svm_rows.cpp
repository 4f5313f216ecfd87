// Checks rows of support vector machines for NaN and infinity.
#include "numeric/common/finite.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace duomap {

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

}  // namespace duomap
