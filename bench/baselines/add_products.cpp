// Adds up the products of centred columns, row by row.
#include "bench/baselines/add_products.hpp"

#include <vector>

namespace duomap::apps {

matrix<double> add_products_in_loops(matrix_view<float> rows) {
  const std::uint64_t columns = rows.columns;
  std::vector<double> mean(columns);
  for (std::uint64_t r = 0; r < rows.rows; ++r) {
    for (std::uint64_t i = 0; i < columns; ++i) mean[i] += double{rows.row(r)[i]};
  }
  for (double& one : mean) one /= static_cast<double>(rows.rows);
  matrix<double> products(columns, columns, "the covariances");
  std::vector<double> centred(columns);
  for (std::uint64_t r = 0; r < rows.rows; ++r) {
    for (std::uint64_t i = 0; i < columns; ++i) centred[i] = double{rows.row(r)[i]} - mean[i];
    for (std::uint64_t i = 0; i < columns; ++i) {
      for (std::uint64_t j = i; j < columns; ++j) products.row(i)[j] += centred[i] * centred[j];
    }
  }
  for (std::uint64_t i = 0; i < columns; ++i) {
    for (std::uint64_t j = 0; j < i; ++j) products.row(i)[j] = products.row(j)[i];
  }
  return products;
}

}  // namespace duomap::apps
