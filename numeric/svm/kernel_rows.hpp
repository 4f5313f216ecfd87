// Computes kernel values of many rows, panel by panel.
// host only
#pragma once

#include "cpu/blas/ordered_product.hpp"
#include "numeric/common/matrix.hpp"
#include "numeric/common/sparse_matrix.hpp"
#include "numeric/svm/svm_problem.hpp"
#include "numeric/svm/svm_vectors.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// Copies of chosen rows.
template <class T>
class row_copies {
 public:
  row_copies() = default;
  row_copies(const svm_rows_of<T>& from, std::span<const std::uint32_t> which);

  [[nodiscard]] svm_rows_of<T> view() const;

 private:
  std::uint64_t rows_ = 0;
  matrix<T> dense_;
  sparse_matrix<T> sparse_;
  bool is_sparse_ = false;
};

/// A view of `count` rows from `first` on, without a copy.
template <class T>
[[nodiscard]] svm_rows_of<T> slice(const svm_rows_of<T>& rows, std::uint64_t first, std::uint64_t count);

/// Makes sparse rows of dense rows, and dense rows of sparse rows.
template <class T>
[[nodiscard]] sparse_matrix<T> sparse_of(const svm_rows_of<T>& rows);
template <class T>
[[nodiscard]] matrix<T> dense_of(const svm_rows_of<T>& rows);

/// |x|^2 of each row.
template <class T>
[[nodiscard]] std::vector<T> squared_norms(const svm_rows_of<T>& rows);

/// The buffers of one worker, which it uses for panel after panel.
template <class T>
struct panel_scratch {
  std::vector<std::uint32_t> slot_of;  ///< sparse: the slot of each column in `tile`
  std::vector<std::uint32_t> used;     ///< indices in `slot_of` that have a slot
  std::vector<std::uint32_t> places;   ///< indices in `slot_of` of the current row's columns
  std::vector<T> tile;
};

/// The kernel of `rows`, which must stay where they are, with rows that compute() gets later.
///
/// The rows are cut into panels: 64 sparse rows, scattered into columns, or 512 dense rows, packed once as a
/// product's right factor (which takes as much memory as the rows). Products are sums in T. The RBF kernel
/// takes distances as differences of products. Distances much smaller than the rows' length would lose their
/// digits, so these are computed again from differences of numbers.
template <class T>
class kernel_rows {
 public:
  /// @throws out_of_memory
  kernel_rows(const svm_rows_of<T>& rows, const svm_kernel& kernel);

  [[nodiscard]] const svm_rows_of<T>& rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t panels() const noexcept;
  [[nodiscard]] std::uint64_t first_row(std::uint64_t panel) const noexcept { return panel * panel_rows_; }
  [[nodiscard]] std::uint64_t rows_of(std::uint64_t panel) const noexcept;
  /// The rows of the largest panel, a multiple of a vector's width. Static, because callers need this number
  /// before they make a kernel_rows.
  [[nodiscard]] static std::uint64_t panel_rows_of(bool sparse) noexcept {
    return sparse ? svm_tile_rows : 512;
  }
  [[nodiscard]] std::uint64_t panel_rows() const noexcept { return panel_rows_; }

  /// values[p * panel_rows() + i] = K(point p, row i of the panel). `norms` are the points' squared_norms().
  /// Any number of threads may call it at once, each with its own scratch.
  void compute(const svm_rows_of<T>& points, std::span<const T> norms, std::uint64_t panel,
               panel_scratch<T>& scratch, T* values);

 private:
  [[nodiscard]] std::uint32_t place_of(std::uint32_t column) const;
  void sparse_products(const svm_rows_of<T>& points, std::uint64_t first, std::uint64_t count,
                       panel_scratch<T>& scratch, T* values) const;
  void correct_near(const svm_rows_of<T>& points, std::span<const T> norms, std::uint64_t point,
                    std::uint64_t first, std::uint64_t count, T* values) const;

  svm_rows_of<T> rows_;
  svm_kernel kernel_;
  std::uint64_t panel_rows_;
  std::vector<T> norms_;
  double largest_norm_ = 0;
  /// The columns that have a number, ascending, for rows of very many mostly empty columns. A worker then has
  /// slots for these columns only. Slots for all columns took 8 GB when one row had the index 2^31 - 1.
  std::vector<std::uint32_t> columns_;
  bool few_of_columns_ = false;
  std::vector<cpu::packed_factor<T>> packed_;  // dense rows, where packing makes products faster
};

}  // namespace duomap
