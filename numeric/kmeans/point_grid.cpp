// Chooses the origin and the units of the grid from the extremes and some numbers of each column.
#include "numeric/kmeans/point_grid.hpp"

#include "core/error.hpp"
#include "duomap.hpp"
#include "numeric/common/finite.hpp"
#include "numeric/common/sample_mean.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace duomap {
namespace {

constexpr std::uint32_t most_bits = 41;
// 60 bits, so that sums of products of half numbers fit into 64 bits: one half may be one bit longer.
constexpr std::uint32_t sum_bits = 60;

/// Returns a number near the mean that has few significant bits. Subtracting it from numbers with few bits is
/// exact: equal distances stay equal, and the mean of whole numbers prints as a whole number. It differs from
/// the mean by at most a 32nd of the range, so that distances lose no digit.
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

}  // namespace

template <class T, class Points>
point_grid<T> grid_of(const Points& points, const result_for<column_extremes<T>>& extremes,
                      worker_pool& pool) {
  const std::vector<double> means = sample_mean(points);
  point_grid<T> grid;
  const auto count_bits = static_cast<std::uint32_t>(std::bit_width(points.rows));
  const std::uint32_t bits = std::min(most_bits, sum_bits - std::min(sum_bits - 2, count_bits));
  grid.low_bits = bits / 2 + 1;
  grid.bits = bits;
  double square = 0;
  bool apart = false;
  for (std::uint64_t c = 0; c < points.columns; ++c) {
    const T most = column_extremes<T>::number_of(extremes[c]);
    const T least = column_extremes<T>::number_of(~extremes[points.columns + c]);
    // The mean of large finite doubles may be infinite.
    if (!std::isfinite(most) || !std::isfinite(least) || !std::isfinite(means[c])) {
      require_finite(points, "points", pool);
      square = std::numeric_limits<double>::infinity();
      break;
    }
    const T shift = round_shift(means[c], least, most);
    const T largest = std::max(std::abs(most - shift), std::abs(least - shift));
    square += static_cast<double>(largest) * static_cast<double>(largest);
    apart = apart || largest > 0;
    // The exponent of the smallest number whose square is not 0 in T.
    const int least_exponent = std::numeric_limits<T>::min_exponent / 2;
    const int exponent = largest > 0 ? std::max(std::ilogb(largest) + 1, least_exponent) : 0;
    grid.shift.push_back(shift);
    grid.units.push_back(std::ldexp(1.0, exponent - static_cast<int>(bits)));
  }
  // Two points are at most twice as far from each other as the farthest point is from the shift. Squares
  // below the smallest normal number lose digits, until they are 0.
  const bool too_large = !(8 * square < static_cast<double>(std::numeric_limits<T>::max()));
  const bool too_small = apart && square < static_cast<double>(std::numeric_limits<T>::min());
  if (too_large || too_small) {
    throw usage_error(std::string("the squared distances of these points are too ") +
                      (too_large ? "large" : "small") + " for " +
                      (sizeof(T) == 4 ? "float32; read them as float64 (--float64), or scale them"
                                      : "float64; scale them"));
  }
  return grid;
}

template <class T>
point_grid<T> grid_of(matrix_view<T> points, worker_pool& pool) {
  const column_extremes<T> task{static_cast<std::uint32_t>(points.columns)};
  return grid_of<T>(points, run(task, view_input(points.bytes()), pool, {.device = device_choice::cpu}),
                    pool);
}

#if DUOMAP_HAS_CUDA
template point_grid<float> grid_of(const gpu_matrix<float>&, const result_for<column_extremes<float>>&,
                                   worker_pool&);
#endif

template point_grid<float> grid_of(const matrix_view<float>&, const result_for<column_extremes<float>>&,
                                   worker_pool&);
template point_grid<double> grid_of(const matrix_view<double>&, const result_for<column_extremes<double>>&,
                                    worker_pool&);
template point_grid<float> grid_of(matrix_view<float>, worker_pool&);
template point_grid<double> grid_of(matrix_view<double>, worker_pool&);

}  // namespace duomap
