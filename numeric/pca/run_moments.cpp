// Adds up a run of rows panel by panel and tile by tile.
#include "numeric/pca/run_moments.hpp"

#include "cpu/features.hpp"
#include "numeric/pca/product_tile.hpp"

#include <algorithm>
#include <array>

namespace duomap {
namespace {

template <class T>
std::uint32_t panels_of(std::uint32_t columns) {
  return (columns + panel_columns<T> - 1) / panel_columns<T>;
}

/// The width of a panel. The last panel is half as wide if that is enough for its columns.
template <class T>
std::uint32_t panel_width(std::uint32_t columns, std::uint32_t panel) {
  const std::uint32_t left = columns - panel * panel_columns<T>;
  return left > panel_columns<T> / 2 ? panel_columns<T> : panel_columns<T> / 2;
}

template <class T>
constexpr std::uint64_t panel_size = std::uint64_t{rows_of_run} * panel_columns<T>;

template <class T>
const tile_kernels<T>& active_tile_kernels() {
  static const tile_kernels<T> kernels = tile_kernels_for<T>(cpu::active_vector_path());
  return kernels;
}

}  // namespace

template <class T>
run_moments<T>::run_moments(std::uint32_t columns, const T* origin)
  : columns_(columns),
    origin_(origin),
    centred_(panels_of<T>(columns) * panel_size<T>),
    cells_(moment_cells{columns}.count()) {}

template <class T>
run_moments<T>& run_moments<T>::of_this_thread(std::uint32_t columns, const T* origin) {
  // Each thread keeps one object, because allocating it takes as long as a run of a few columns.
  thread_local run_moments<T> kept(1, nullptr);
  if (kept.columns_ != columns) kept = run_moments<T>(columns, origin);
  kept.origin_ = origin;
  return kept;
}

template <class T>
const std::vector<T>& run_moments<T>::of(const T* data, std::uint64_t rows) {
  const tile_kernels<T>& kernels = active_tile_kernels<T>();
  const moment_cells at{columns_};
  const std::uint32_t panels = panels_of<T>(columns_);
  std::array<T, tile_left * panel_columns<T>> products;
  std::array<T, panel_columns<T>> sums;
  for (std::uint32_t p = 0; p < panels; ++p) {
    const std::uint32_t first = p * panel_columns<T>, width = panel_width<T>(columns_, p);
    const std::uint32_t end = std::min(first + width, columns_);
    T* const right = centred_.data() + p * panel_size<T>;
    kernels.centre(rows, data + first, columns_, end - first, origin_ + first, right, width);
    // All tiles on and above the diagonal with this panel, while the panel is in the first-level cache.
    for (std::uint32_t i = 0; i < end; i += tile_left) {
      const std::uint32_t of = i / panel_columns<T>;
      const T* const left = centred_.data() + of * panel_size<T> + i % panel_columns<T>;
      kernels.add({.rows = rows,
                   .left = left,
                   .left_stride = panel_width<T>(columns_, of),
                   .right = right,
                   .width = width,
                   .next = data + rows * columns_ + first,
                   .next_stride = columns_},
                  products.data(), i == 0 ? sums.data() : nullptr);
      copy_tile(i, p, products.data());
    }
    std::copy_n(sums.data(), end - first, cells_.data() + at.sum(first));
  }
  cells_[at.rows()] = static_cast<T>(rows);
  return cells_;
}

template <class T>
void run_moments<T>::copy_tile(std::uint32_t i, std::uint32_t panel, const T* products) {
  const moment_cells at{columns_};
  const std::uint32_t first = panel * panel_columns<T>, width = panel_width<T>(columns_, panel);
  const std::uint32_t end = std::min(first + width, columns_);
  for (std::uint32_t k = 0; k < std::min(tile_left, end - i); ++k) {
    const std::uint32_t begin = std::max(i + k, first);
    std::copy_n(products + k * width + begin - first, end - begin, cells_.data() + at.product(i + k, begin));
  }
}

template class run_moments<float>;
template class run_moments<double>;

}  // namespace duomap
