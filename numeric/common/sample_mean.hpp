// Finds an origin near the rows of a table without reading all of them.
// host only
#pragma once

#include "numeric/common/gpu_matrix.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap {

// `Rows`: a matrix_view or a gpu_matrix of T.

/// The numbers of 256 evenly spread rows, row by row. A table of up to 256 rows gives all of its rows.
template <class Rows>
[[nodiscard]] auto some_rows(const Rows& rows) {
  const std::uint64_t some = std::min<std::uint64_t>(rows.rows, 256);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t k = 0; k < some; ++k)
    chosen.push_back(rows.rows / some * k + rows.rows % some * k / some);
  return rows_at(rows, chosen);
}

/// The mean of some_rows().
template <class Rows>
[[nodiscard]] std::vector<double> sample_mean(const Rows& rows) {
  const auto values = some_rows(rows);
  std::vector<double> mean(rows.columns);
  for (std::uint64_t i = 0; i < values.size(); ++i) mean[i % rows.columns] += static_cast<double>(values[i]);
  for (double& one : mean) one /= static_cast<double>(values.size() / rows.columns);
  return mean;
}

}  // namespace duomap
