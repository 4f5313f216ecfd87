#include "apps/algorithms/kmeans/farthest_points.hpp"

#include "apps/algorithms/numeric/ranges.hpp"
#include "core/chunk.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

namespace duomap {
namespace {

bool comes_first(const far_point& a, const far_point& b) {
  return a.square != b.square ? a.square > b.square : a.row < b.row;
}

void keep_farthest(std::vector<far_point>& points, std::uint64_t count) {
  if (points.size() <= count) return;
  std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count), points.end(),
                   comes_first);
  points.resize(count);
}

/// A bound from above of how far points are from their nearest centre, by their distance to one centre in the
/// middle of all: a fraction of the work of finding the nearest one.
template <class T>
class distance_bound {
 public:
  explicit distance_bound(const lloyd_step<T>& step) : step_(step), columns_(step.dimensions) {
    std::vector<double> mean(columns_);
    for (std::uint64_t c = 0; c < step.centres(); ++c) {
      for (std::uint64_t d = 0; d < columns_; ++d) mean[d] += static_cast<double>(centre(c)[d]);
    }
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint64_t c = 0; c < step.centres(); ++c) {
      double square = 0;
      double to_mean = 0;
      for (std::uint64_t d = 0; d < columns_; ++d) {
        const auto at = static_cast<double>(centre(c)[d]);
        const double difference = at - mean[d] / step.centres();
        square += at * at;
        to_mean += difference * difference;
      }
      largest_centre_ = std::max(largest_centre_, square);
      if (to_mean < nearest) {
        nearest = to_mean;
        middle_ = centre(c);
      }
    }
  }

  /// The square of the distance to the centre that find_nearest() finds is no larger.
  [[nodiscard]] double of(const T* point) const {
    // Several sums, so that the compiler may use vectors.
    constexpr unsigned lanes = 16;
    T sums[lanes] = {};
    std::uint64_t d = 0;
    for (; d + lanes <= columns_; d += lanes) {
      for (unsigned i = 0; i < lanes; ++i) {
        const T difference = point[d + i] - step_.shift[d + i] + middle_[d + i];
        sums[i] += difference * difference;
      }
    }
    for (unsigned i = 0; d < columns_; ++d, ++i) {
      const T difference = point[d] - step_.shift[d] + middle_[d];
      sums[i] += difference * difference;
    }
    double square = 0;
    for (const T sum : sums) square += static_cast<double>(sum);
    // Two scores |c|^2 / 2 - c x, of the middle centre and of the one that was found, are each wrong by less
    // than (columns + 2) u (|c|^2 + |c||x|), where u is half of epsilon and |x| <= |x - c| + |c|.
    return square + slack_ * (square + largest_centre_);
  }

 private:
  [[nodiscard]] const T* centre(std::uint64_t c) const { return step_.negative_centres.data + c * columns_; }

  const lloyd_step<T>& step_;
  std::uint64_t columns_;
  const T* middle_ = nullptr;
  double largest_centre_ = 0;
  double slack_ =
      8 * static_cast<double>(step_.dimensions + 8) * static_cast<double>(std::numeric_limits<T>::epsilon());
};

/// What is known of the farthest points while they are looked for, by all workers.
class farthest_so_far {
 public:
  explicit farthest_so_far(std::uint64_t count) : count_(count) {}

  /// Points that are nearer are not among them.
  [[nodiscard]] double least_square() const { return least_.load(std::memory_order_relaxed); }

  void add(std::vector<far_point>& more) {
    keep_farthest(more, count_);
    if (more.empty()) return;
    const std::scoped_lock lock(mutex_);
    found_.insert(found_.end(), more.begin(), more.end());
    keep_farthest(found_, count_);
    if (found_.size() < count_) return;
    const auto last = std::max_element(found_.begin(), found_.end(), comes_first);
    least_.store(last->square, std::memory_order_relaxed);
  }

  [[nodiscard]] std::vector<far_point> sorted() && {
    std::ranges::sort(found_, comes_first);
    return std::move(found_);
  }

 private:
  std::uint64_t count_;
  std::mutex mutex_;
  std::vector<far_point> found_;
  std::atomic<double> least_ = 0;
};

template <class T>
double square_to_centre(const lloyd_step<T>& step, const T* point, std::uint32_t centre) {
  const T* const negative = step.negative_centres.data + std::uint64_t{centre} * step.dimensions;
  double square = 0;
  for (std::uint64_t d = 0; d < step.dimensions; ++d) {
    const double difference =
        static_cast<double>(point[d] - step.shift[d]) + static_cast<double>(negative[d]);
    square += difference * difference;
  }
  return square;
}

}  // namespace

template <class T>
std::vector<far_point> farthest_points(matrix_view<T> points, const lloyd_step<T>& step, std::uint64_t count,
                                       worker_pool& pool, const run_control* control) {
  const distance_bound<T> bound(step);
  farthest_so_far found(count);
  const std::uint64_t row_bytes = points.columns * sizeof(T);
  for_each_range(
      pool, points.rows, rows_per_range(row_bytes), control, [&](std::uint64_t begin, std::uint64_t end) {
        std::vector<std::uint64_t> far;
        std::vector<T> copies;
        const double least = found.least_square();
        for (std::uint64_t r = begin; r < end; ++r) {
          const T* const point = points.row(r).data();
          if (bound.of(point) < least) continue;
          far.push_back(r);
          copies.insert(copies.end(), point, point + points.columns);
        }
        if (far.empty()) return;
        copies.resize(copies.size() + read_padding / sizeof(T));
        std::vector<std::uint32_t> nearest(far.size());
        step.find_nearest(
            {.data = reinterpret_cast<const char*>(copies.data()), .size = far.size() * row_bytes},
            nearest.data());
        std::vector<far_point> here;
        for (std::size_t i = 0; i < far.size(); ++i) {
          const double square = square_to_centre(step, copies.data() + i * points.columns, nearest[i]);
          if (square > 0) here.push_back({square, far[i], nearest[i]});
        }
        found.add(here);
      });
  return std::move(found).sorted();
}

template std::vector<far_point> farthest_points(matrix_view<float> points, const lloyd_step<float>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);
template std::vector<far_point> farthest_points(matrix_view<double> points, const lloyd_step<double>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);

}  // namespace duomap
