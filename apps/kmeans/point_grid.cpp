#include "apps/kmeans/point_grid.hpp"

#include "apps/numeric/finite.hpp"
#include "apps/numeric/ranges.hpp"
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

struct column_range {
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
};

template <class T>
void add_rows(matrix_view<T> points, std::uint64_t begin, std::uint64_t end, column_range* columns) {
  for (std::uint64_t r = begin; r < end; ++r) {
    const T* const row = points.data + r * points.columns;
    for (std::uint64_t c = 0; c < points.columns; ++c) {
      const double value = row[c];
      columns[c].sum += value;
      columns[c].least = std::min(columns[c].least, value);
      columns[c].most = std::max(columns[c].most, value);
    }
  }
}

}  // namespace

template <class T>
point_grid<T> grid_of(matrix_view<T> points, parallel& pool, const run_control* control) {
  const std::uint64_t ranges = (points.rows + rows_of_range - 1) / rows_of_range;
  std::vector<column_range> found(ranges * points.columns);
  for_each_range(pool, points.rows, rows_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
    add_rows(points, begin, end, found.data() + begin / rows_of_range * points.columns);
  });
  std::vector<column_range> all(points.columns);
  for (std::uint64_t i = 0; i < found.size(); ++i) {
    column_range& column = all[i % points.columns];
    column.sum += found[i].sum;
    column.least = std::min(column.least, found[i].least);
    column.most = std::max(column.most, found[i].most);
  }

  point_grid<T> grid;
  const auto count_bits = static_cast<std::uint32_t>(std::bit_width(points.rows));
  const std::uint32_t bits = std::min(most_bits, sum_bits - std::min(sum_bits - 2, count_bits));
  grid.low_bits = bits / 2 + 1;
  double square = 0;
  for (const column_range& column : all) {
    // A sum that is not finite is of numbers that are not, or of doubles that are too large.
    if (!std::isfinite(column.sum)) {
      require_finite(points, "points", pool);
      square = std::numeric_limits<double>::infinity();
      break;
    }
    const T shift = static_cast<T>(column.sum / static_cast<double>(points.rows));
    const T largest = std::max(std::abs(static_cast<T>(column.most) - shift),
                               std::abs(static_cast<T>(column.least) - shift));
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

template point_grid<float> grid_of(matrix_view<float> points, parallel& pool, const run_control* control);
template point_grid<double> grid_of(matrix_view<double> points, parallel& pool, const run_control* control);

}  // namespace duomap
