#include "apps/algorithms/kmeans/point_grid.hpp"

#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/numeric/finite.hpp"
#include "apps/algorithms/numeric/ranges.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace duomap {
namespace {

// Fixed, so that sums of doubles are the same for any number of workers.
constexpr std::uint64_t rows_of_range = 8192;

constexpr std::uint32_t most_bits = 41;
// Also the products of halves, of which one may be one bit longer, add up in 64 bits.
constexpr std::uint32_t sum_bits = 60;

/// Sums and extremes of columns, each kind side by side.
template <class T>
struct column_ranges {
  std::vector<double> sum;
  std::vector<T> least;
  std::vector<T> most;

  explicit column_ranges(std::uint64_t columns)
    : sum(columns),
      least(columns, std::numeric_limits<T>::infinity()),
      most(columns, -std::numeric_limits<T>::infinity()) {}

  void add(std::uint64_t column, double value_sum, T value_least, T value_most) {
    sum[column] += value_sum;
    least[column] = std::min(least[column], value_least);
    most[column] = std::max(most[column], value_most);
  }
};

/// Rows of few columns are taken several at a time, as one long row that vector instructions can work on.
constexpr std::uint64_t least_long_row = 32;

template <class T>
void add_long_rows(const T* values, std::uint64_t count, std::uint64_t length, double* __restrict__ sum,
                   T* __restrict__ least, T* __restrict__ most) {
  for (std::uint64_t at = 0; at < count; at += length) {
    const T* const row = values + at;
    const std::uint64_t here = std::min(length, count - at);
    for (std::uint64_t c = 0; c < here; ++c) {
      sum[c] += static_cast<double>(row[c]);
      least[c] = row[c] < least[c] ? row[c] : least[c];
      most[c] = row[c] > most[c] ? row[c] : most[c];
    }
  }
}

constexpr std::uint64_t long_row(std::uint64_t columns) {
  return columns * ((least_long_row + columns - 1) / columns);
}

template <class T>
column_ranges<T> ranges_of(matrix_view<T> points, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t columns = points.columns;
  const std::uint64_t length = long_row(columns);
  column_ranges<T> of_long_row(length), found(columns);
  add_long_rows(points.data + begin * columns, (end - begin) * columns, length, of_long_row.sum.data(),
                of_long_row.least.data(), of_long_row.most.data());
  for (std::uint64_t i = 0; i < length; ++i)
    found.add(i % columns, of_long_row.sum[i], of_long_row.least[i], of_long_row.most[i]);
  return found;
}

template <class T>
std::vector<column_ranges<T>> all_ranges(matrix_view<T> points, worker_pool& pool,
                                         const run_control* control) {
  const std::uint64_t ranges = (points.rows + rows_of_range - 1) / rows_of_range;
  std::vector<column_ranges<T>> found(ranges, column_ranges<T>(0));
  for_each_range(pool, points.rows, rows_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
    found[begin / rows_of_range] = ranges_of(points, begin, end);
  });
  return found;
}

#if DUOMAP_HAS_CUDA
std::vector<column_ranges<float>> all_ranges(gpu_matrix<float> points, worker_pool& /*pool*/,
                                             const run_control* /*control*/) {
  const std::uint64_t length = long_row(points.columns);
  const gpu::long_row_ranges all = gpu::find_ranges(points, rows_of_range, length);
  std::vector<column_ranges<float>> found;
  for (std::uint64_t at = 0; at < all.sum.size(); at += length) {
    column_ranges<float>& range = found.emplace_back(points.columns);
    for (std::uint64_t i = at; i < at + length; ++i)
      range.add((i - at) % points.columns, all.sum[i], all.least[i], all.most[i]);
  }
  return found;
}
#endif

/// A number near the mean with so few bits that numbers of few bits less it are exact: then ties stay ties,
/// and the mean of whole numbers is printed as it is. A 32nd of the range from the mean loses no digit of a
/// distance.
template <class T>
T round_shift(double mean, T least, T most) {
  const double range = static_cast<double>(most) - static_cast<double>(least);
  if (!(range > 0)) return least;
  constexpr int parts = 4;
  const double step = std::ldexp(1.0, std::ilogb(range) - parts);
  constexpr double largest_whole = 0x1p52;
  if (!(std::abs(mean) < largest_whole * step)) return static_cast<T>(mean);
  return static_cast<T>(std::nearbyint(mean / step) * step);
}

/// `Points`: a matrix_view or a gpu_matrix of T.
template <class T, class Points>
point_grid<T> make_grid(Points points, worker_pool& pool, const run_control* control) {
  const std::vector<column_ranges<T>> found = all_ranges(points, pool, control);
  column_ranges<T> all(points.columns);
  for (const column_ranges<T>& range : found) {
    for (std::uint64_t c = 0; c < points.columns; ++c)
      all.add(c, range.sum[c], range.least[c], range.most[c]);
  }

  point_grid<T> grid;
  const auto count_bits = static_cast<std::uint32_t>(std::bit_width(points.rows));
  const std::uint32_t bits = std::min(most_bits, sum_bits - std::min(sum_bits - 2, count_bits));
  grid.low_bits = bits / 2 + 1;
  double square = 0;
  for (std::uint64_t c = 0; c < points.columns; ++c) {
    // A sum that is not finite is of numbers that are not, or of doubles that are too large.
    if (!std::isfinite(all.sum[c])) {
      require_finite(points, "points", pool);
      square = std::numeric_limits<double>::infinity();
      break;
    }
    const T shift = round_shift(all.sum[c] / static_cast<double>(points.rows), all.least[c], all.most[c]);
    const T largest = std::max(std::abs(all.most[c] - shift), std::abs(all.least[c] - shift));
    square += static_cast<double>(largest) * static_cast<double>(largest);
    // Below this, squares are 0 in T anyhow.
    const int least_exponent = std::numeric_limits<T>::min_exponent / 2;
    const int exponent = largest > 0 ? std::max(std::ilogb(largest) + 1, least_exponent) : 0;
    grid.shift.push_back(shift);
    grid.units.push_back(std::ldexp(1.0, exponent - static_cast<int>(bits)));
  }
  // Twice the largest distance from the shift is the largest between two points.
  if (!(8 * square < static_cast<double>(std::numeric_limits<T>::max()))) {
    throw usage_error(
        std::string("the squared distances of these points are too large for ") +
        (sizeof(T) == 4 ? "float32; read them as float64, or scale them" : "float64; scale them"));
  }
  return grid;
}

}  // namespace

template <class T>
point_grid<T> grid_of(matrix_view<T> points, worker_pool& pool, const run_control* control) {
  return make_grid<T>(points, pool, control);
}

#if DUOMAP_HAS_CUDA
point_grid<float> grid_of(gpu_matrix<float> points, worker_pool& pool, const run_control* control) {
  return make_grid<float>(points, pool, control);
}
#endif

template point_grid<float> grid_of(matrix_view<float> points, worker_pool& pool, const run_control* control);
template point_grid<double> grid_of(matrix_view<double> points, worker_pool& pool,
                                    const run_control* control);

}  // namespace duomap
