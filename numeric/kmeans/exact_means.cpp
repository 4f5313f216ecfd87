// Adds coordinates up as integers of several digits, and rounds each mean once.
#include "numeric/kmeans/exact_means.hpp"

#include "numeric/common/ranges.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <vector>

namespace duomap {
namespace {

__extension__ using wide = __int128;

// A coordinate below 1 is split into three integers, in units of 2^-30, 2^-61 and 2^-92. Each integer is at
// most 2^30, so that 64 bits hold the sum of 2^32 integers.
constexpr int digits = 3;
constexpr int bits_of_digit = 31;
constexpr double first_unit = 0x1p-30;
constexpr double next_unit = 0x1p-31;

/// Adding a double of at most 2^30 units to this number leaves the number of units in the sum's lowest bits.
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

  /// The sum of the three integers, in units of 2^-92.
  [[nodiscard]] wide all() const {
    wide sum = 0;
    for (const std::int64_t one : of) sum = sum * (wide{1} << bits_of_digit) + one;
    return sum;
  }
};

/// Rounds the quotient once. A remainder sets the quotient's lowest bit, so that rounding never sees a tie.
double rounded_quotient(wide sum, std::uint64_t count) {
  const auto divisor = static_cast<wide>(count);
  const wide size = sum < 0 ? -sum : sum;
  wide quotient = size / divisor;
  if (size % divisor != 0) quotient |= 1;
  return static_cast<double>(sum < 0 ? -quotient : quotient);
}

/// The number of rows in a range. Each worker gets one range, because each range has sums of its own.
std::uint64_t rows_of_worker(std::uint64_t rows, const worker_pool& pool) {
  return (rows + pool.workers() - 1) / pool.workers();
}

/// For each cluster and column, the exponent of a power of two above all absolute values.
std::vector<int> exponents_of(matrix_view<double> points, std::span<const std::uint32_t> cluster_of_point,
                              std::uint32_t clusters, worker_pool& pool, const run_control* control) {
  std::vector<double> largest(clusters * points.columns);
  std::mutex mutex;
  for_each_range(pool, points.rows, rows_of_worker(points.rows, pool), control,
                 [&](std::uint64_t begin, std::uint64_t end) {
                   std::vector<double> here(largest.size());
                   for (std::uint64_t row = begin; row < end; ++row) {
                     double* const of = here.data() + cluster_of_point[row] * points.columns;
                     for (std::uint64_t c = 0; c < points.columns; ++c)
                       of[c] = std::max(of[c], std::abs(points.row(row)[c]));
                   }
                   const std::lock_guard lock(mutex);
                   for (std::size_t i = 0; i < here.size(); ++i) largest[i] = std::max(largest[i], here[i]);
                 });
  std::vector<int> exponents;
  // -1022 is the exponent of the smallest normal double, whose reciprocal is a normal double too.
  for (const double one : largest) exponents.push_back(one > 0 ? std::max(std::ilogb(one) + 1, -1022) : 0);
  return exponents;
}

}  // namespace

matrix<double> exact_means(matrix_view<double> points, std::span<const std::uint32_t> cluster_of_point,
                           std::uint32_t clusters, worker_pool& pool, const run_control* control) {
  const std::uint64_t columns = points.columns;
  const std::vector<int> exponents = exponents_of(points, cluster_of_point, clusters, pool, control);
  std::vector<double> scales;
  for (const int exponent : exponents) scales.push_back(std::ldexp(1.0, -exponent));
  std::vector<digit_sums> sums(clusters * columns);
  std::vector<std::uint64_t> sizes(clusters);
  std::mutex mutex;
  for_each_range(pool, points.rows, rows_of_worker(points.rows, pool), control,
                 [&](std::uint64_t begin, std::uint64_t end) {
                   std::vector<digit_sums> here(sums.size());
                   std::vector<std::uint64_t> sizes_here(clusters);
                   for (std::uint64_t row = begin; row < end; ++row) {
                     const std::uint32_t cluster = cluster_of_point[row];
                     ++sizes_here[cluster];
                     for (std::uint64_t i = cluster * columns, c = 0; c < columns; ++i, ++c)
                       here[i].add(points.row(row)[c] * scales[i]);
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
                                             exponents[i] - (bits_of_digit * digits - 1));
  }
  return means;
}

}  // namespace duomap
