#include "apps/algorithms/kmeans/exact_means.hpp"

#include "apps/algorithms/numeric/ranges.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <vector>

namespace duomap {
namespace {

__extension__ using wide = __int128;

// A coordinate below 1 is three integers, of 2^-30, 2^-61 and 2^-92, each of at most 2^30: 2^32 of them add
// up in 64 bits.
constexpr int digits = 3;
constexpr int bits_of_digit = 31;
constexpr double first_unit = 0x1p-30;
constexpr double next_unit = 0x1p-31;

/// A double of at most 2^30 units that is added to it has their number in its lowest bits.
constexpr double rounder_of(double unit) { return 0x1.8p52 * unit; }

struct digit_sums {
  std::int64_t of[digits] = {};

  void add(double below_one) {
    double unit = first_unit;
    double rest = below_one;
    for (std::int64_t& sum : of) {
      const double rounder = rounder_of(unit);
      const double rounded = rest + rounder;
      sum += std::bit_cast<std::int64_t>(rounded) - std::bit_cast<std::int64_t>(rounder);
      rest -= rounded - rounder;
      unit *= next_unit;
    }
  }

  void add(const digit_sums& more) {
    for (int i = 0; i < digits; ++i) of[i] += more.of[i];
  }

  /// In units of 2^-92.
  [[nodiscard]] wide all() const {
    wide sum = 0;
    for (const std::int64_t one : of) sum = sum * (wide{1} << bits_of_digit) + one;
    return sum;
  }
};

/// A quotient of many digits, rounded once: what is left over decides only whether it is between two.
double rounded_quotient(wide sum, std::uint64_t count) {
  const auto divisor = static_cast<wide>(count);
  const wide size = sum < 0 ? -sum : sum;
  wide quotient = size / divisor;
  if (size % divisor != 0) quotient |= 1;
  return static_cast<double>(sum < 0 ? -quotient : quotient);
}

/// For each column the exponent of a power of two that is above all of its numbers.
std::vector<int> exponents_of(matrix_view<double> points, worker_pool& pool, const run_control* control) {
  std::vector<double> largest(points.columns);
  std::mutex mutex;
  for_each_range(pool, points.rows, rows_per_range(points.columns * sizeof(double)), control,
                 [&](std::uint64_t begin, std::uint64_t end) {
                   std::vector<double> here(points.columns);
                   for (std::uint64_t row = begin; row < end; ++row) {
                     for (std::uint64_t c = 0; c < points.columns; ++c)
                       here[c] = std::max(here[c], std::abs(points.row(row)[c]));
                   }
                   const std::lock_guard lock(mutex);
                   for (std::uint64_t c = 0; c < points.columns; ++c)
                     largest[c] = std::max(largest[c], here[c]);
                 });
  std::vector<int> exponents;
  // The smallest normal double: its reciprocal is one, too.
  for (const double one : largest) exponents.push_back(one > 0 ? std::max(std::ilogb(one) + 1, -1022) : 0);
  return exponents;
}

}  // namespace

matrix<double> exact_means(matrix_view<double> points, std::span<const std::uint32_t> cluster_of_point,
                           std::uint32_t clusters, worker_pool& pool, const run_control* control) {
  const std::uint64_t columns = points.columns;
  const std::vector<int> exponents = exponents_of(points, pool, control);
  std::vector<double> scales;
  for (const int exponent : exponents) scales.push_back(std::ldexp(1.0, -exponent));
  std::vector<digit_sums> sums(clusters * columns);
  std::vector<std::uint64_t> sizes(clusters);
  std::mutex mutex;
  // A range for each worker, since each has sums of its own.
  const std::uint64_t rows_of_range = (points.rows + pool.workers() - 1) / pool.workers();
  for_each_range(pool, points.rows, rows_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<digit_sums> here(sums.size());
    std::vector<std::uint64_t> sizes_here(clusters);
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::uint32_t cluster = cluster_of_point[row];
      ++sizes_here[cluster];
      for (std::uint64_t c = 0; c < columns; ++c)
        here[cluster * columns + c].add(points.row(row)[c] * scales[c]);
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(here[i]);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] += sizes_here[i];
  });
  matrix<double> means(clusters, columns, "the centres of k-means");
  for (std::uint64_t i = 0; i < sums.size(); ++i) {
    const std::uint64_t size = sizes[i / columns];
    means.data()[i] = size == 0 ? 0
                                : std::ldexp(rounded_quotient(sums[i].all(), size),
                                             exponents[i % columns] - (bits_of_digit * digits - 1));
  }
  return means;
}

}  // namespace duomap
