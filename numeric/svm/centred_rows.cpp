// Finds a centre of rows, and subtracts it from dense or sparse rows.
#include "numeric/svm/centred_rows.hpp"

#include "numeric/svm/svm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace duomap {
namespace {

/// Returns the median of the numbers if it is far from 0 compared with their interquartile range; else 0.
double centre_of(std::vector<double>& values) {
  constexpr double far = 16;
  std::ranges::sort(values);
  const double median = values[values.size() / 2];
  const double spread = values[values.size() * 3 / 4] - values[values.size() / 4];
  return std::isfinite(median) && std::abs(median) > far * spread ? median : 0;
}

/// Chooses at most 1024 evenly spread rows.
std::vector<std::uint64_t> some_of(std::uint64_t rows) {
  const std::uint64_t some = std::min<std::uint64_t>(rows, 1024);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t k = 0; k < some; ++k) chosen.push_back(rows / some * k + rows % some * k / some);
  return chosen;
}

template <class T>
std::span<const std::uint32_t> columns_of(const svm_rows_of<T>& rows, std::uint64_t row) {
  return rows.column_of.subspan(rows.row_start[row], rows.row_start[row + 1] - rows.row_start[row]);
}

/// Columns in which every row has a number.
template <class T>
std::vector<std::uint32_t> full_columns(const svm_rows_of<T>& rows) {
  std::vector<std::uint32_t> full;
  for (std::uint64_t row = 0; row < rows.rows && (row == 0 || !full.empty()); ++row) {
    const auto columns = columns_of(rows, row);
    if (row == 0) full.assign(columns.begin(), columns.end());
    auto next = columns.begin();
    std::erase_if(full, [&](std::uint32_t column) {
      while (next != columns.end() && *next < column) ++next;
      return next == columns.end() || *next != column;
    });
  }
  return full;
}

template <class T>
double value_at(const svm_rows_of<T>& rows, std::uint64_t row, std::uint32_t column) {
  if (!rows.is_sparse()) return static_cast<double>(rows.dense[row * rows.columns + column]);
  const auto columns = columns_of(rows, row);
  const auto place = static_cast<std::uint64_t>(std::ranges::lower_bound(columns, column) - columns.begin());
  return static_cast<double>(rows.values[rows.row_start[row] + place]);
}

template <class T, class From>
matrix<T> dense_moved(const svm_rows_of<From>& rows, const row_centre& centre) {
  matrix<T> to(rows.rows, rows.columns, "a copy of the rows");
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const auto from = rows.dense.subspan(row * rows.columns, rows.columns);
    std::ranges::transform(from, to.row(row).begin(), [](From value) { return static_cast<T>(value); });
    for (std::size_t k = 0; k < centre.columns.size(); ++k) {
      const std::uint32_t column = centre.columns[k];
      to.row(row)[column] = static_cast<T>(static_cast<double>(from[column]) - centre.values[k]);
    }
  }
  return to;
}

/// Subtracts the centre from sparse rows. Every row then has a number in each column of the centre.
template <class T, class From>
sparse_matrix<T> sparse_moved(const svm_rows_of<From>& rows, const row_centre& centre) {
  sparse_matrix<T> to;
  to.columns = rows.columns;
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    std::size_t next = 0;
    const auto add = [&](std::uint32_t column, double value) {
      to.column_of.push_back(column);
      to.values.push_back(static_cast<T>(value));
    };
    const auto add_moving = [&](std::uint32_t column, double value) {
      add(column, value - centre.values[next++]);
    };
    for (std::uint64_t k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k) {
      const std::uint32_t column = rows.column_of[k];
      while (next < centre.columns.size() && centre.columns[next] < column)
        add_moving(centre.columns[next], 0);
      if (next < centre.columns.size() && centre.columns[next] == column) {
        add_moving(column, static_cast<double>(rows.values[k]));
      } else {
        add(column, static_cast<double>(rows.values[k]));
      }
    }
    while (next < centre.columns.size()) add_moving(centre.columns[next], 0);
    to.row_start.push_back(to.values.size());
  }
  return to;
}

}  // namespace

template <class T>
row_centre centre_of(const svm_rows_of<T>& rows, kernel_kind kernel) {
  if (kernel != kernel_kind::linear && kernel != kernel_kind::rbf) return {};
  std::vector<std::uint32_t> columns;
  if (rows.is_sparse()) {
    columns = full_columns(rows);
  } else {
    for (std::uint32_t c = 0; c < rows.columns; ++c) columns.push_back(c);
  }
  const std::vector<std::uint64_t> some = some_of(rows.rows);
  row_centre centre;
  std::vector<double> values(some.size());
  for (const std::uint32_t column : some.empty() ? std::vector<std::uint32_t>{} : columns) {
    std::ranges::transform(some, values.begin(),
                           [&](std::uint64_t row) { return value_at(rows, row, column); });
    const double found = centre_of(values);
    if (found == 0) continue;
    centre.columns.push_back(column);
    centre.values.push_back(found);
  }
  return centre;
}

template <class T>
template <class From>
centred_rows<T>::centred_rows(const svm_rows_of<From>& rows, const row_centre& centre) {
  if constexpr (std::is_same_v<T, From>) {
    rows_ = rows;
    if (centre.columns.empty()) return;
  }
  if (rows.is_sparse()) {
    sparse_ = sparse_moved<T>(rows, centre);
    rows_ = rows_of(sparse_);
  } else {
    dense_ = dense_moved<T>(rows, centre);
    rows_ = rows_of(dense_.view());
  }
}

template row_centre centre_of(const svm_rows_of<float>& rows, kernel_kind kernel);
template row_centre centre_of(const svm_rows_of<double>& rows, kernel_kind kernel);
template centred_rows<float>::centred_rows(const svm_rows_of<float>& rows, const row_centre& centre);
template centred_rows<float>::centred_rows(const svm_rows_of<double>& rows, const row_centre& centre);
template centred_rows<double>::centred_rows(const svm_rows_of<float>& rows, const row_centre& centre);
template centred_rows<double>::centred_rows(const svm_rows_of<double>& rows, const row_centre& centre);

}  // namespace duomap
