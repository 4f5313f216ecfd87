// Kernel values of many rows, panel by panel.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/numeric/sparse_matrix.hpp"
#include "apps/algorithms/svm/svm_problem.hpp"
#include "apps/algorithms/svm/svm_vectors.hpp"
#include "cpu/blas/ordered_product.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// Some rows of others, copied.
class row_copies {
 public:
  row_copies() = default;
  row_copies(const svm_rows& from, std::span<const std::uint32_t> which);

  [[nodiscard]] svm_rows view() const;

 private:
  std::uint64_t rows_ = 0;
  matrix<float> dense_;
  sparse_matrix<float> sparse_;
  bool is_sparse_ = false;
};

/// `count` rows from `first` on, where they are.
[[nodiscard]] svm_rows slice(const svm_rows& rows, std::uint64_t first, std::uint64_t count);

/// The same rows without their zeros, and with them.
[[nodiscard]] sparse_matrix<float> sparse_of(const svm_rows& rows);
[[nodiscard]] matrix<float> dense_of(const svm_rows& rows);

/// |x|^2 of each row.
[[nodiscard]] std::vector<float> squared_norms(const svm_rows& rows);

/// What a worker needs to compute panels; the same one for all of them.
struct panel_scratch {
  std::vector<std::uint32_t> slot_of;  ///< sparse: of each column in `tile`
  std::vector<std::uint32_t> used;     ///< columns that have one
  std::vector<std::uint32_t> places;   ///< of one row's columns, where places are searched for
  std::vector<float> tile;
};

/// The kernel of all rows, which must stay where they are, with rows that are given later.
///
/// Rows come in panels: 64 sparse rows, scattered into columns; or 512 dense ones, packed once as a product's
/// right factor (which takes as much memory as the rows). Products are float32 sums; for the RBF kernel,
/// whose distances are differences of products, pairs that are near beside the rows' length are computed
/// again from their differences.
class kernel_rows {
 public:
  /// @throws out_of_memory
  kernel_rows(const svm_rows& rows, const svm_kernel& kernel);

  [[nodiscard]] const svm_rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t panels() const noexcept;
  [[nodiscard]] std::uint64_t first_row(std::uint64_t panel) const noexcept { return panel * panel_rows_; }
  [[nodiscard]] std::uint64_t rows_of(std::uint64_t panel) const noexcept;
  /// Rows of the largest panel, a multiple of a vector's width; without a kernel_rows, too.
  [[nodiscard]] static std::uint64_t panel_rows_of(bool sparse) noexcept {
    return sparse ? svm_tile_rows : 512;
  }
  [[nodiscard]] std::uint64_t panel_rows() const noexcept { return panel_rows_; }

  /// values[p * panel_rows() + i] = K(point p, row i of the panel). `norms` are the points' squared_norms().
  /// Any number of threads at once, each with its own scratch.
  void compute(const svm_rows& points, std::span<const float> norms, std::uint64_t panel,
               panel_scratch& scratch, float* values);

 private:
  [[nodiscard]] std::uint32_t place_of(std::uint32_t column) const;
  void sparse_products(const svm_rows& points, std::uint64_t first, std::uint64_t count,
                       panel_scratch& scratch, float* values) const;
  void correct_near(const svm_rows& points, std::span<const float> norms, std::uint64_t point,
                    std::uint64_t first, std::uint64_t count, float* values) const;

  svm_rows rows_;
  svm_kernel kernel_;
  std::uint64_t panel_rows_;
  std::vector<float> norms_;
  double largest_norm_ = 0;
  /// Rows of very many columns, most without a number: the columns that have one, ascending. A worker then
  /// has a slot for each of these; with index 2^31 - 1 in one row, slots for all columns took 8 GB.
  std::vector<std::uint32_t> columns_;
  bool few_of_columns_ = false;
  std::vector<cpu::packed_factor<float>> packed_;  // dense, where it makes products faster
};

}  // namespace duomap
