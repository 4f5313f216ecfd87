// Chooses the form of rows on a GPU, and plans whether they stay there or come in panels.
#include "numeric/svm/device_row_form.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace duomap::gpu {
namespace {

/// Sparse rows become dense when their dense form has at most this many times their entries, or when they
/// have few columns. In the same time, cuBLAS does 30 times as many multiplications.
constexpr std::uint64_t dense_for_entry = 16;
constexpr std::uint64_t few_columns = 1024;

/// The number of rows that are multiplied with the points at once; fewer rows are slower. If the points
/// stream, all these rows share one reading of the points, and 1024 rows leave room for panels.
constexpr std::uint64_t rows_at_once_resident = 4096;
constexpr std::uint64_t rows_at_once_streamed = 1024;

/// The most bytes of a part when points stream. Two panels, the rows multiplied with them, and the products
/// are a part each, at most an eighth of the remaining memory. Copies of 64 MiB and more use the whole link.
constexpr std::uint64_t most_part_bytes = std::uint64_t{512} << 20;

/// The bytes of float64 products of 1024 rows, at most 1 GiB. Products of fewer rows at once are slower.
std::uint64_t products_of(std::uint64_t points) {
  constexpr std::uint64_t rows = 1024, most_bytes = std::uint64_t{1} << 30;
  return std::min(most_bytes, rows * ((points + 31) / 32 * 32) * sizeof(double));
}

}  // namespace

device_row_form device_row_form::of(const svm_rows& rows) {
  return {.sparse = rows.is_sparse() && rows.columns > few_columns &&
                    rows.rows * rows.columns / dense_for_entry > rows.entries()};
}

std::uint64_t device_row_form::bytes_of(const svm_rows& rows, std::uint64_t row) const noexcept {
  constexpr std::uint64_t beside = sizeof(double) + sizeof(float);  // a square, and a value of the diagonal
  const std::uint64_t entries =
      rows.is_sparse() ? (rows.row_start[row + 1] - rows.row_start[row]) * 8 + sizeof(std::uint64_t) : 0;
  return beside + entries + (sparse ? 0 : rows.columns * (sizeof(float) + sizeof(double)));
}

point_plan::point_plan(const svm_rows& points, std::uint64_t beside, std::uint64_t limit,
                       const std::string& what)
  : form(device_row_form::of(points)), panels{0, points.rows} {
  std::uint64_t all = 0, largest = 0;
  for (std::uint64_t point = 0; point < points.rows; ++point) {
    const std::uint64_t one = form.bytes_of(points, point);
    all += one;
    largest = std::max(largest, one);
  }
  const std::uint64_t spread = form.sparse ? points.columns * 32 * sizeof(float) : 0;
  rows_at_once = std::clamp<std::uint64_t>(points.rows, 1, rows_at_once_resident);
  part_bytes = std::max(largest, all / std::max<std::uint64_t>(1, points.rows) * rows_at_once);
  product_bytes = form.sparse ? 0 : products_of(points.rows);
  bytes = all + part_bytes + product_bytes + spread;
  if (beside + bytes <= limit) return;
  const std::uint64_t least = beside + spread + 8 * std::max<std::uint64_t>(largest, 4096);
  if (least > limit) {
    throw out_of_memory(what + " takes at least " + std::to_string(least) + " bytes of a GPU's memory for " +
                        std::to_string(points.rows) + " rows of " + std::to_string(points.columns) +
                        " columns, also when these are brought there in parts; " + std::to_string(limit) +
                        " bytes are free");
  }
  part_bytes = product_bytes = std::min(most_part_bytes, (limit - beside - spread) / 8);
  bytes = 4 * part_bytes + spread;
  cut_panels(points);
}

void point_plan::cut_panels(const svm_rows& points) {
  panels = {0};
  rows_at_once = rows_at_once_streamed;
  std::uint64_t filled = 0;
  for (std::uint64_t point = 0; point < points.rows; ++point) {
    const std::uint64_t one = form.bytes_of(points, point);
    if (point > panels.back() && filled + one > part_bytes) {
      panels.push_back(point);
      filled = 0;
    }
    filled += one;
  }
  panels.push_back(points.rows);
}

std::uint64_t point_plan::part_of(const svm_rows& rows, std::span<const std::uint32_t> which) const noexcept {
  std::uint64_t filled = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    filled += form.bytes_of(rows, which[i]);
    if (i == rows_at_once || (i > 0 && filled > part_bytes)) return i;
  }
  return which.size();
}

}  // namespace duomap::gpu
