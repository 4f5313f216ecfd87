#include "apps/algorithms/kmeans/farthest_points.hpp"

#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/numeric/ranges.hpp"
#include "core/chunk.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace duomap {
namespace {

// Of points whose squares are known.
[[maybe_unused]] constexpr std::uint64_t rows_with_squares = 65'536;

bool comes_first(const far_point& a, const far_point& b) {
  return a.square != b.square ? a.square > b.square : a.row < b.row;
}

void keep_farthest(std::vector<far_point>& points, std::uint64_t count) {
  if (points.size() <= count) return;
  std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count), points.end(),
                   comes_first);
  points.resize(count);
}

/// Rules out points by their distances to a few centres in the middle of the data: a fraction of the work of
/// finding the nearest one of all.
template <class T>
class distance_bound {
 public:
  explicit distance_bound(const lloyd_step<T>& step) : step_(step), columns_(step.dimensions) {
    // The middle of the data is at 0.
    std::vector<std::pair<double, const T*>> all;
    for (std::uint64_t c = 0; c < step.centres(); ++c) {
      const T* const centre = step.negative_centres.data + c * columns_;
      double square = 0;
      for (std::uint64_t d = 0; d < columns_; ++d)
        square += static_cast<double>(centre[d]) * static_cast<double>(centre[d]);
      all.emplace_back(square, centre);
    }
    const auto some = std::min<std::size_t>(most_centres, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(some), all.end());
    all.resize(some);
    for (const auto& [square, centre] : all) centres_.push_back({square, centre});
  }

  /// Whether the square of the distance to the centre that find_nearest() finds is certainly smaller.
  [[nodiscard]] bool is_below(double least, const T* point) const {
    for (const middle_centre& one : centres_) {
      const double square = square_to(one.negative, point);
      // The centre that is found may be farther by what rounding does to the scores |c|^2 / 2 - c x of the
      // two: less than (columns + 3) u (|c|^2 / 2 + |c||x|) each, where u is half of epsilon. With |x| at
      // most |x - c| + |c| that is less than 20 (columns + 3) u times what stands in brackets here.
      if (square + slack_ * (square + one.square) < least) return true;
    }
    return false;
  }

 private:
  struct middle_centre {
    double square;
    const T* negative;
  };
  static constexpr std::size_t most_centres = 8;

  [[nodiscard]] double square_to(const T* negative, const T* point) const {
    // Several sums, so that the compiler may use vectors.
    constexpr unsigned lanes = 16;
    T sums[lanes] = {};
    std::uint64_t d = 0;
    for (; d + lanes <= columns_; d += lanes) {
      for (unsigned i = 0; i < lanes; ++i) {
        const T difference = point[d + i] - step_.shift[d + i] + negative[d + i];
        sums[i] += difference * difference;
      }
    }
    for (unsigned i = 0; d < columns_; ++d, ++i) {
      const T difference = point[d] - step_.shift[d] + negative[d];
      sums[i] += difference * difference;
    }
    double square = 0;
    for (const T sum : sums) square += static_cast<double>(sum);
    return square;
  }

  const lloyd_step<T>& step_;
  std::uint64_t columns_;
  std::vector<middle_centre> centres_;
  double slack_ =
      32 * static_cast<double>(step_.dimensions + 8) * static_cast<double>(std::numeric_limits<T>::epsilon());
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
          if (bound.is_below(least, point)) continue;
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

#if DUOMAP_HAS_CUDA
std::vector<far_point> farthest_points(gpu_matrix<float> points, const lloyd_step<float>& step,
                                       std::uint64_t count, worker_pool& pool, const run_control* control) {
  const gpu::nearest_squares all = gpu::find_squares(points, step);
  farthest_so_far found(count);
  for_each_range(pool, points.rows, rows_with_squares, control, [&](std::uint64_t begin, std::uint64_t end) {
    const double least = found.least_square();
    std::vector<far_point> here;
    for (std::uint64_t r = begin; r < end; ++r) {
      if (all.square[r] > 0 && all.square[r] >= least) here.push_back({all.square[r], r, all.centre[r]});
    }
    found.add(here);
  });
  return std::move(found).sorted();
}
#endif

template std::vector<far_point> farthest_points(matrix_view<float> points, const lloyd_step<float>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);
template std::vector<far_point> farthest_points(matrix_view<double> points, const lloyd_step<double>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);

}  // namespace duomap
