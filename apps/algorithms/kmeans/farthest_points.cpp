#include "apps/algorithms/kmeans/farthest_points.hpp"

#include "apps/algorithms/numeric/ranges.hpp"

#include <algorithm>
#include <mutex>

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

}  // namespace

template <class T>
std::vector<far_point> farthest_points(matrix_view<T> points, const lloyd_step<T>& step, std::uint64_t count,
                                       worker_pool& pool, const run_control* control) {
  std::vector<far_point> found;
  std::mutex mutex;
  const std::uint64_t row_bytes = points.columns * sizeof(T);
  for_each_range(
      pool, points.rows, rows_per_range(row_bytes), control, [&](std::uint64_t begin, std::uint64_t end) {
        std::vector<std::uint32_t> nearest(end - begin);
        const char* const bytes = reinterpret_cast<const char*>(points.data) + begin * row_bytes;
        step.find_nearest({.data = bytes, .size = (end - begin) * row_bytes}, nearest.data());
        std::vector<far_point> here;
        for (std::uint64_t r = begin; r < end; ++r) {
          const T* const point = points.data + r * points.columns;
          const T* const negative = step.negative_centres.data + nearest[r - begin] * points.columns;
          double square = 0;
          for (std::uint64_t d = 0; d < points.columns; ++d) {
            const double difference =
                static_cast<double>(point[d] - step.shift[d]) + static_cast<double>(negative[d]);
            square += difference * difference;
          }
          if (square > 0) here.push_back({square, r, nearest[r - begin]});
        }
        keep_farthest(here, count);
        const std::scoped_lock lock(mutex);
        found.insert(found.end(), here.begin(), here.end());
        keep_farthest(found, count);
      });
  std::ranges::sort(found, comes_first);
  return found;
}

template std::vector<far_point> farthest_points(matrix_view<float> points, const lloyd_step<float>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);
template std::vector<far_point> farthest_points(matrix_view<double> points, const lloyd_step<double>& step,
                                                std::uint64_t count, worker_pool& pool,
                                                const run_control* control);

}  // namespace duomap
