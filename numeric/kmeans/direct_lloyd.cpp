// Runs Lloyd's algorithm on differences of coordinates, in double on the CPU.
#include "numeric/kmeans/direct_lloyd.hpp"

#include "numeric/common/ranges.hpp"
#include "numeric/kmeans/exact_means.hpp"
#include "numeric/kmeans/vector_step.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

namespace duomap {
namespace {

using kmeans_paths::rows_of_block;

// A fixed length of ranges makes sums the same for any number of workers.
constexpr std::uint64_t rows_of_sum = 2048;

/// Calls of(begin, end) for each range of rows, and adds the results up in the order of the ranges.
template <class Of>
double sum_over_ranges(std::uint64_t rows, worker_pool& pool, const run_control* control, const Of& of) {
  std::vector<double> sums((rows + rows_of_sum - 1) / rows_of_sum);
  for_each_range(pool, rows, rows_of_sum, control,
                 [&](std::uint64_t begin, std::uint64_t end) { sums[begin / rows_of_sum] = of(begin, end); });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Returns the exponent of a power of two that scales all coordinates. Squared differences of scaled
/// coordinates never overflow. They underflow only where no power of two avoids it.
int exponent_of_scale(matrix_view<double> points, const matrix<double>& centres, worker_pool& pool,
                      const run_control* control) {
  std::vector<double> least(points.columns, std::numeric_limits<double>::max());
  std::vector<double> most(points.columns, std::numeric_limits<double>::lowest());
  for (std::uint64_t i = 0; i < centres.rows() * points.columns; ++i) {
    least[i % points.columns] = std::min(least[i % points.columns], centres.data()[i]);
    most[i % points.columns] = std::max(most[i % points.columns], centres.data()[i]);
  }
  std::mutex mutex;
  for_each_range(pool, points.rows, rows_per_range(points.columns * sizeof(double)), control,
                 [&](std::uint64_t begin, std::uint64_t end) {
                   std::vector<double> low(least.size(), std::numeric_limits<double>::max());
                   std::vector<double> high(most.size(), std::numeric_limits<double>::lowest());
                   for (std::uint64_t row = begin; row < end; ++row) {
                     for (std::uint64_t c = 0; c < points.columns; ++c) {
                       low[c] = std::min(low[c], points.row(row)[c]);
                       high[c] = std::max(high[c], points.row(row)[c]);
                     }
                   }
                   const std::lock_guard lock(mutex);
                   for (std::uint64_t c = 0; c < points.columns; ++c) {
                     least[c] = std::min(least[c], low[c]);
                     most[c] = std::max(most[c], high[c]);
                   }
                 });
  double range = 0, largest = 0;
  for (std::uint64_t c = 0; c < points.columns; ++c) {
    range = std::max(range, most[c] / 2 - least[c] / 2);
    largest = std::max({largest, std::abs(least[c]), std::abs(most[c])});
  }
  if (range == 0) return 0;
  constexpr int largest_sum = 1000;  // the exponent that no sum of squares may exceed
  const int wanted = largest_sum / 2 - std::ilogb(range) - static_cast<int>(std::bit_width(points.columns));
  return std::min(wanted, std::numeric_limits<double>::max_exponent - 2 - std::ilogb(largest));
}

class direct_steps {
 public:
  direct_steps(matrix_view<double> points, const matrix<double>& first, worker_pool& pool,
               const run_control* control)
    : points_(points),
      pool_(pool),
      control_(control),
      exponent_(exponent_of_scale(points, first, pool, control)),
      scale_(std::ldexp(1.0, exponent_)),
      labels_(points.rows),
      squares_(points.rows) {}

  /// Finds the nearest centre of each point (the first of equally near ones), and the squared, scaled
  /// distance to it.
  void assign(const matrix<double>& centres) {
    matrix<double> scaled(centres.rows(), centres.columns(), "the centres of k-means");
    std::ranges::transform(centres.view().values(), scaled.data(), [&](double x) { return x * scale_; });
    for_each_range(pool_, points_.rows, rows_of_sum, control_, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<double> block(points_.columns * rows_of_block);
      for (std::uint64_t first = begin; first < end; first += rows_of_block)
        assign_block(scaled, first, std::min(rows_of_block + first, end), block);
    });
  }

  /// Gives each empty cluster one of the points farthest from their centres. Points on their centres stay
  /// there.
  void fill_empty(std::uint64_t clusters) {
    const std::vector<std::uint64_t> sizes = sizes_of(clusters);
    std::vector<std::uint32_t> empty;
    for (std::uint32_t c = 0; c < clusters; ++c) {
      if (sizes[c] == 0) empty.push_back(c);
    }
    if (empty.empty()) return;
    std::vector<std::uint64_t> far(points_.rows);
    std::iota(far.begin(), far.end(), std::uint64_t{0});
    std::erase_if(far, [&](std::uint64_t row) { return !(squares_[row] > 0); });
    const auto count = std::min(far.size(), empty.size());
    std::partial_sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(count), far.end(),
                      [&](std::uint64_t a, std::uint64_t b) {
                        return squares_[a] != squares_[b] ? squares_[a] > squares_[b] : a < b;
                      });
    for (std::size_t i = 0; i < count; ++i) labels_[far[i]] = empty[i];
  }

  /// Moves each centre to the mean of its points; centres without points stay. Returns the sum of the
  /// squared, scaled movements of all coordinates.
  double move(matrix<double>& centres) {
    const auto clusters = static_cast<std::uint32_t>(centres.rows());
    const matrix<double> means = exact_means(points_, labels_, clusters, pool_, control_);
    const std::vector<std::uint64_t> sizes = sizes_of(clusters);
    double moved = 0;
    for (std::uint32_t c = 0; c < clusters; ++c) {
      for (std::uint64_t d = 0; sizes[c] > 0 && d < points_.columns; ++d) {
        const double by = (means.row(c)[d] - std::exchange(centres.row(c)[d], means.row(c)[d])) * scale_;
        moved += by * by;
      }
    }
    return moved;
  }

  /// The sum of the squared, scaled distances of all points.
  [[nodiscard]] double squares() const {
    return sum_over_ranges(points_.rows, pool_, control_, [&](std::uint64_t begin, std::uint64_t end) {
      return std::accumulate(squares_.begin() + static_cast<std::ptrdiff_t>(begin),
                             squares_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    });
  }
  [[nodiscard]] double inertia() const { return std::ldexp(squares(), -2 * exponent_); }

  [[nodiscard]] std::uint64_t lost(const matrix<double>& centres) const {
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row < points_.rows; ++row) {
      if (squares_[row] < std::numeric_limits<double>::min() &&
          !std::ranges::equal(points_.row(row), centres.row(labels_[row])))
        ++count;
    }
    return count;
  }

  [[nodiscard]] std::vector<std::uint32_t>& labels() { return labels_; }

 private:
  [[nodiscard]] std::vector<std::uint64_t> sizes_of(std::uint64_t clusters) const {
    std::vector<std::uint64_t> sizes(clusters);
    for (const std::uint32_t label : labels_) ++sizes[label];
    return sizes;
  }

  void assign_block(const matrix<double>& centres, std::uint64_t first, std::uint64_t end,
                    std::vector<double>& block) {
    for (std::uint64_t row = first; row < end; ++row) {
      for (std::uint64_t c = 0; c < points_.columns; ++c)
        block[c * rows_of_block + row - first] = points_.row(row)[c] * scale_;
    }
    double squares[rows_of_block];
    std::fill(squares_.begin() + static_cast<std::ptrdiff_t>(first),
              squares_.begin() + static_cast<std::ptrdiff_t>(end), std::numeric_limits<double>::infinity());
    for (std::uint32_t c = 0; c < centres.rows(); ++c) {
      paths_.squares_to(centres.row(c).data(), static_cast<std::uint32_t>(points_.columns), block.data(),
                        squares);
      for (std::uint64_t row = first; row < end; ++row) {
        if (!(squares[row - first] < squares_[row])) continue;
        squares_[row] = squares[row - first];
        labels_[row] = c;
      }
    }
  }

  matrix_view<double> points_;
  worker_pool& pool_;
  const run_control* control_;
  const kmeans_paths::path<double>& paths_ = kmeans_paths::active<double>();
  int exponent_;
  double scale_;
  std::vector<std::uint32_t> labels_;
  std::vector<double> squares_;
};

}  // namespace

double inertia_of(matrix_view<double> points, const matrix<double>& centres,
                  std::span<const std::uint32_t> labels, worker_pool& pool, const run_control* control) {
  return sum_over_ranges(points.rows, pool, control, [&](std::uint64_t begin, std::uint64_t end) {
    double sum = 0;
    for (std::uint64_t row = begin; row < end; ++row) {
      const auto point = points.row(row), centre = centres.row(labels[row]);
      double square = 0;
      for (std::uint64_t c = 0; c < points.columns; ++c)
        square += (point[c] - centre[c]) * (point[c] - centre[c]);
      sum += square;
    }
    return sum;
  });
}

direct_clusters cluster_directly(matrix_view<double> points, matrix<double> first,
                                 std::uint32_t max_iterations, double tolerance, worker_pool& pool,
                                 const run_control* control) {
  direct_steps steps(points, first, pool, control);
  direct_clusters found;
  found.centers = std::move(first);
  const double numbers = static_cast<double>(points.rows) * static_cast<double>(points.columns);
  std::vector<std::uint32_t> before;
  while (found.iterations < max_iterations && !found.converged) {
    steps.assign(found.centers);
    steps.fill_empty(found.centers.rows());
    ++found.iterations;
    found.converged = steps.labels() == before;
    before = steps.labels();
    const double moved = steps.move(found.centers);
    found.converged = found.converged || moved <= tolerance * steps.squares() / numbers;
  }
  steps.assign(found.centers);
  found.inertia = steps.inertia();
  found.lost = steps.lost(found.centers);
  found.labels = std::move(steps.labels());
  return found;
}

matrix<double> doubles_of(matrix_view<float> numbers) {
  matrix<double> copy(numbers.rows, numbers.columns, "the points as float64");
  std::ranges::copy(numbers.values(), copy.data());
  return copy;
}

#if DUOMAP_HAS_CUDA
matrix<double> doubles_of(const gpu_matrix<float>& numbers) {
  matrix<double> copy(numbers.rows, numbers.columns, "the points as float64");
  constexpr std::uint64_t rows_at_once = 65'536;
  for (std::uint64_t first = 0; first < numbers.rows; first += rows_at_once) {
    std::vector<std::uint64_t> rows(std::min(rows_at_once, numbers.rows - first));
    std::iota(rows.begin(), rows.end(), first);
    std::ranges::copy(rows_at(numbers, rows), copy.row(first).data());
  }
  return copy;
}
#endif

}  // namespace duomap
