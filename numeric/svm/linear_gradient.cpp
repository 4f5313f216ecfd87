// Computes f of the linear kernel from the normal vector, in twice the precision of float64.
#include "numeric/svm/linear_gradient.hpp"

#include "numeric/common/ranges.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace duomap {
namespace {

/// A sum of products in twice the precision of float64 (Ogita, Rump & Oishi 2005, algorithm Dot2).
struct long_sum {
  double high = 0;
  double low = 0;

  void add(double a, double b) noexcept {
    const double product = a * b;
    const double sum = high + product;
    const double part = sum - high;
    low += std::fma(a, b, -product) + ((high - (sum - part)) + (product - part));
    high = sum;
  }
};

/// Calls visit(column, number) for the numbers of a row.
template <class Visit>
void for_each_number(const svm_rows_of<double>& rows, std::uint64_t row, const Visit& visit) {
  if (!rows.is_sparse()) {
    for (std::uint64_t c = 0; c < rows.columns; ++c) visit(c, rows.dense[row * rows.columns + c]);
    return;
  }
  for (std::uint64_t k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k)
    visit(rows.column_of[k], rows.values[k]);
}

}  // namespace

void compute_linear_f(const svm_rows_of<double>& rows, multipliers& all, worker_pool& pool) {
  std::vector<long_sum> normal(rows.columns);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const multiplier& one = all.of_row[row];
    if (one.alpha == 0) continue;
    const double weight = one.positive ? one.alpha : -one.alpha;
    for_each_number(rows, row,
                    [&](std::uint64_t column, double value) { normal[column].add(weight, value); });
  }
  const std::uint64_t grain = rows_per_range((rows.entries() / rows.rows + 1) * sizeof(double));
  for_each_range(pool, rows.rows, grain, nullptr, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      long_sum sum;
      for_each_number(rows, row, [&](std::uint64_t column, double value) {
        sum.add(normal[column].high, value);
        sum.add(normal[column].low, value);
      });
      all.f[row] = sum.high + (sum.low - (all.of_row[row].positive ? 1 : -1));
    }
  });
}

}  // namespace duomap
