// Computes kernel values panel by panel, and recomputes distances of near rows from their differences.
#include "numeric/svm/kernel_rows.hpp"

#include "numeric/common/cpu_product.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace duomap {
namespace {

constexpr std::uint32_t no_slot = 0;  // the slot of columns without a number: zeros

/// The most slots of a worker, 64 MiB. With more columns than this, only columns that have numbers get slots,
/// and each number needs a search for its slot.
constexpr std::uint64_t most_slots = std::uint64_t{1} << 24;

template <class T>
const svm_vectors<T>& vectors() {
  return svm_vectors_for<T>(cpu::active_vector_path());
}

template <class T>
struct sparse_row {
  std::span<const std::uint32_t> column_of;
  std::span<const T> values;
};

template <class T>
sparse_row<T> row_of(const svm_rows_of<T>& rows, std::uint64_t row) {
  const std::uint64_t begin = rows.row_start[row], count = rows.row_start[row + 1] - begin;
  return {rows.column_of.subspan(begin, count), rows.values.subspan(begin, count)};
}

template <class T>
double squared_distance(const svm_rows_of<T>& a, std::uint64_t i, const svm_rows_of<T>& b, std::uint64_t j) {
  double sum = 0;
  const auto add = [&](T x, T y) {
    const double difference = static_cast<double>(x) - static_cast<double>(y);
    sum += difference * difference;
  };
  if (!a.is_sparse()) {
    for (std::uint64_t c = 0; c < a.columns; ++c) add(a.dense[i * a.columns + c], b.dense[j * b.columns + c]);
    return sum;
  }
  const sparse_row<T> x = row_of(a, i), y = row_of(b, j);
  std::size_t k = 0, l = 0;
  while (k < x.values.size() || l < y.values.size()) {
    const bool has_x = k < x.values.size() && (l == y.values.size() || x.column_of[k] <= y.column_of[l]);
    const bool has_y = l < y.values.size() && (k == x.values.size() || y.column_of[l] <= x.column_of[k]);
    add(has_x ? x.values[k] : 0, has_y ? y.values[l] : 0);
    if (has_x) ++k;
    if (has_y) ++l;
  }
  return sum;
}

}  // namespace

template <class T>
row_copies<T>::row_copies(const svm_rows_of<T>& from, std::span<const std::uint32_t> which)
  : rows_(which.size()), is_sparse_(from.is_sparse()) {
  if (!is_sparse_) {
    dense_ = matrix<T>(which.size(), from.columns, "a copy of rows");
    for (std::size_t i = 0; i < which.size(); ++i)
      std::copy_n(from.dense.data() + which[i] * from.columns, from.columns, dense_.row(i).data());
    return;
  }
  sparse_.columns = from.columns;
  for (const std::uint32_t row : which) {
    const sparse_row<T> one = row_of(from, row);
    sparse_.column_of.insert(sparse_.column_of.end(), one.column_of.begin(), one.column_of.end());
    sparse_.values.insert(sparse_.values.end(), one.values.begin(), one.values.end());
    sparse_.row_start.push_back(sparse_.values.size());
  }
}

template <class T>
svm_rows_of<T> row_copies<T>::view() const {
  if (is_sparse_)
    return {.rows = rows_,
            .columns = sparse_.columns,
            .row_start = sparse_.row_start,
            .column_of = sparse_.column_of,
            .values = sparse_.values};
  return {.rows = rows_, .columns = dense_.columns(), .dense = dense_.view().values()};
}

template <class T>
svm_rows_of<T> slice(const svm_rows_of<T>& rows, std::uint64_t first, std::uint64_t count) {
  svm_rows_of<T> some = rows;
  some.rows = count;
  if (rows.is_sparse()) {
    some.row_start = rows.row_start.subspan(first, count + 1);
  } else {
    some.dense = rows.dense.subspan(first * rows.columns, count * rows.columns);
  }
  return some;
}

template <class T>
sparse_matrix<T> sparse_of(const svm_rows_of<T>& rows) {
  sparse_matrix<T> sparse;
  sparse.columns = rows.columns;
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const auto add = [&](std::uint32_t column, T value) {
      if (value == 0) return;
      sparse.column_of.push_back(column);
      sparse.values.push_back(value);
    };
    if (rows.is_sparse()) {
      const sparse_row<T> one = row_of(rows, row);
      for (std::size_t k = 0; k < one.values.size(); ++k) add(one.column_of[k], one.values[k]);
    } else {
      for (std::uint32_t c = 0; c < rows.columns; ++c) add(c, rows.dense[row * rows.columns + c]);
    }
    sparse.row_start.push_back(sparse.values.size());
  }
  return sparse;
}

template <class T>
matrix<T> dense_of(const svm_rows_of<T>& rows) {
  matrix<T> dense(rows.rows, rows.columns, "the rows without gaps");
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    T* const to = dense.row(row).data();
    if (!rows.is_sparse()) {
      std::copy_n(rows.dense.data() + row * rows.columns, rows.columns, to);
      continue;
    }
    const sparse_row<T> one = row_of(rows, row);
    for (std::size_t k = 0; k < one.values.size(); ++k) to[one.column_of[k]] = one.values[k];
  }
  return dense;
}

template <class T>
std::vector<T> squared_norms(const svm_rows_of<T>& rows) {
  std::vector<T> norms(rows.rows);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const std::span<const T> values =
        rows.is_sparse() ? row_of(rows, row).values : rows.dense.subspan(row * rows.columns, rows.columns);
    double sum = 0;
    for (const T value : values) sum += static_cast<double>(value) * static_cast<double>(value);
    norms[row] = static_cast<T>(sum);
  }
  return norms;
}

template <class T>
kernel_rows<T>::kernel_rows(const svm_rows_of<T>& rows, const svm_kernel& kernel)
  : rows_(rows), kernel_(kernel), panel_rows_(panel_rows_of(rows.is_sparse())), norms_(squared_norms(rows)) {
  for (const T norm : norms_) largest_norm_ = std::max(largest_norm_, static_cast<double>(norm));
  if (rows.is_sparse() && rows.columns > most_slots && rows.columns > rows.entries()) {
    few_of_columns_ = true;
    const auto entries = rows.column_of.subspan(rows.row_start[0], rows.entries());
    columns_.assign(entries.begin(), entries.end());
    std::ranges::sort(columns_);
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  }
  if (rows.is_sparse() || !computed_in_order(product_kind::plain)) return;
  packed_.reserve(panels());
  for (std::uint64_t panel = 0; panel < panels(); ++panel) {
    packed_.emplace_back(rows_of(panel), rows.columns,
                         operand<T>{rows.dense.data() + first_row(panel) * rows.columns, rows.columns, true});
  }
}

template <class T>
std::uint64_t kernel_rows<T>::panels() const noexcept {
  return (rows_.rows + panel_rows_ - 1) / panel_rows_;
}

template <class T>
std::uint64_t kernel_rows<T>::rows_of(std::uint64_t panel) const noexcept {
  return std::min(panel_rows_, rows_.rows - first_row(panel));
}

/// The index of a column in `slot_of`. With `few_of_columns_`, this is the column's index in `columns_`. A
/// column that is not in `columns_` gets columns_.size(), which never has a slot.
template <class T>
std::uint32_t kernel_rows<T>::place_of(std::uint32_t column) const {
  if (!few_of_columns_) return column;
  const auto found = std::ranges::lower_bound(columns_, column);
  const bool known = found != columns_.end() && *found == column;
  return static_cast<std::uint32_t>(known ? found - columns_.begin() : std::ssize(columns_));
}

template <class T>
void kernel_rows<T>::sparse_products(const svm_rows_of<T>& points, std::uint64_t first, std::uint64_t count,
                                     panel_scratch<T>& scratch, T* values) const {
  if (scratch.slot_of.empty()) {
    scratch.slot_of.resize(few_of_columns_ ? columns_.size() + 1 : rows_.columns, no_slot);
    scratch.tile.resize(svm_tile_rows);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const sparse_row<T> row = row_of(rows_, first + i);
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      const std::uint32_t place = place_of(row.column_of[k]);
      std::uint32_t& slot = scratch.slot_of[place];
      if (slot == no_slot) {
        scratch.used.push_back(place);
        slot = static_cast<std::uint32_t>(scratch.used.size());
        if (scratch.tile.size() < (std::size_t{slot} + 1) * svm_tile_rows)
          scratch.tile.resize((std::size_t{slot} + 1) * svm_tile_rows);
      }
      scratch.tile[std::size_t{slot} * svm_tile_rows + i] = row.values[k];
    }
  }
  const auto product = vectors<T>().tile_product;
  for (std::uint64_t p = 0; p < points.rows; ++p) {
    const sparse_row<T> point = row_of(points, p);
    const std::uint32_t* places = point.column_of.data();
    if (few_of_columns_) {
      scratch.places.clear();
      for (const std::uint32_t column : point.column_of) scratch.places.push_back(place_of(column));
      places = scratch.places.data();
    }
    product(point.values.size(), places, point.values.data(), scratch.slot_of.data(), scratch.tile.data(),
            values + p * panel_rows_);
  }
  for (const std::uint32_t place : scratch.used) scratch.slot_of[place] = no_slot;
  std::fill_n(scratch.tile.begin(), (scratch.used.size() + 1) * svm_tile_rows, T{});
  scratch.used.clear();
}

template <class T>
void kernel_rows<T>::compute(const svm_rows_of<T>& points, std::span<const T> norms, std::uint64_t panel,
                             panel_scratch<T>& scratch, T* values) {
  const std::uint64_t first = first_row(panel), count = rows_of(panel);
  if (rows_.is_sparse()) {
    sparse_products(points, first, count, scratch, values);
  } else if (!packed_.empty()) {
    packed_[panel].multiply(points.rows, {points.dense.data(), points.columns, false}, {values, panel_rows_});
  } else {
    multiply_on_cpu(product_kind::plain, points.rows, count, rows_.columns,
                    {points.dense.data(), points.columns, false},
                    {rows_.dense.data() + first * rows_.columns, rows_.columns, true}, {values, panel_rows_});
  }
  const auto map = vectors<T>().map;
  for (std::uint64_t p = 0; p < points.rows; ++p) {
    map({kernel_, norms[p], norms_.data() + first, count}, values + p * panel_rows_);
    if (kernel_.kind == kernel_kind::rbf)
      correct_near(points, norms, p, first, count, values + p * panel_rows_);
  }
}

template <class T>
void kernel_rows<T>::correct_near(const svm_rows_of<T>& points, std::span<const T> norms, std::uint64_t point,
                                  std::uint64_t first, std::uint64_t count, T* values) const {
  // A sum of squares x is off by about x 2^-22 (float64: 2^-51), and the exponent by gamma times this error.
  constexpr double part = std::is_same_v<T, float> ? 0x1p-22 : 0x1p-51;
  constexpr double tolerated = std::is_same_v<T, float> ? 1e-4 : 1e-10;
  constexpr double least_exponent = std::is_same_v<T, float> ? -18 : -45;
  const auto norm = static_cast<double>(norms[point]);
  if (kernel_.gamma * part * (norm + largest_norm_) <= tolerated) return;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double error = kernel_.gamma * part * (norm + static_cast<double>(norms_[first + i]));
    if (error <= tolerated || std::log(static_cast<double>(values[i])) + error < least_exponent) continue;
    values[i] = static_cast<T>(std::exp(-kernel_.gamma * squared_distance(points, point, rows_, first + i)));
  }
}

template class row_copies<float>;
template class kernel_rows<float>;
template svm_rows_of<float> slice(const svm_rows_of<float>& rows, std::uint64_t first, std::uint64_t count);
template sparse_matrix<float> sparse_of(const svm_rows_of<float>& rows);
template matrix<float> dense_of(const svm_rows_of<float>& rows);
template std::vector<float> squared_norms(const svm_rows_of<float>& rows);
template class row_copies<double>;
template class kernel_rows<double>;
template svm_rows_of<double> slice(const svm_rows_of<double>& rows, std::uint64_t first, std::uint64_t count);
template sparse_matrix<double> sparse_of(const svm_rows_of<double>& rows);
template matrix<double> dense_of(const svm_rows_of<double>& rows);
template std::vector<double> squared_norms(const svm_rows_of<double>& rows);

}  // namespace duomap
