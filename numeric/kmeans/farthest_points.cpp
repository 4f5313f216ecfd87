// Picks the farthest points out of the groups of rows that can hold them.
#include "numeric/kmeans/farthest_points.hpp"

#include "core/chunk.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/common/ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace duomap {
namespace {

bool comes_first(const far_point& a, const far_point& b) {
  return a.square != b.square ? a.square > b.square : a.row < b.row;
}

/// Returns the groups that can hold one of the `count` farthest points: the `count` groups with the largest
/// squares. Each of these groups has a point that comes before every point of the other groups.
template <class T>
std::vector<std::uint64_t> groups_to_look_at(const result_for<farthest_in_groups<T>>& groups,
                                             std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t g = 0; g < groups.size(); ++g) {
    if (groups[g] > 0) all.push_back(g);
  }
  const auto wanted = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, all.size()));
  std::partial_sort(all.begin(), all.begin() + wanted, all.end(), [&](std::uint64_t a, std::uint64_t b) {
    return groups[a] != groups[b] ? groups[a] > groups[b] : a < b;
  });
  all.resize(static_cast<std::size_t>(wanted));
  return all;
}

/// The farthest points of one group, at most `count`.
template <class T, class Points>
std::vector<far_point> farthest_of_group(const Points& points, const farthest_in_groups<T>& task,
                                         std::uint64_t group, std::uint64_t count) {
  const std::uint64_t first = group * task.rows_of_group;
  std::vector<std::uint64_t> rows(std::min(task.rows_of_group, points.rows - first));
  std::iota(rows.begin(), rows.end(), first);
  const std::vector<T> values = rows_at(points, rows);
  std::vector<std::uint32_t> nearest(rows.size());
  task.step.find_nearest(
      {.data = reinterpret_cast<const char*>(values.data()), .size = values.size() * sizeof(T)},
      nearest.data());
  std::vector<far_point> far;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double square = task.square_to(values.data() + i * points.columns, nearest[i]);
    if (square > 0) far.push_back({square, rows[i], nearest[i]});
  }
  std::ranges::sort(far, comes_first);
  if (far.size() > count) far.resize(count);
  return far;
}

}  // namespace

template <class T, class Points>
std::vector<far_point> farthest_points(const Points& points, const farthest_in_groups<T>& task,
                                       const result_for<farthest_in_groups<T>>& groups, std::uint64_t count,
                                       worker_pool& pool, const run_control* control) {
  const std::vector<std::uint64_t> some = groups_to_look_at<T>(groups, count);
  std::vector<std::vector<far_point>> far(some.size());
  for_each_range(pool, some.size(), 1, control, [&](std::uint64_t i, std::uint64_t /*end*/) {
    far[i] = farthest_of_group(points, task, some[i], count);
  });
  std::vector<far_point> all;
  for (const auto& one : far) all.insert(all.end(), one.begin(), one.end());
  std::ranges::sort(all, comes_first);
  if (all.size() > count) all.resize(count);
  return all;
}

template std::vector<far_point> farthest_points(const matrix_view<float>&, const farthest_in_groups<float>&,
                                                const result_for<farthest_in_groups<float>>&, std::uint64_t,
                                                worker_pool&, const run_control*);
template std::vector<far_point> farthest_points(const matrix_view<double>&, const farthest_in_groups<double>&,
                                                const result_for<farthest_in_groups<double>>&, std::uint64_t,
                                                worker_pool&, const run_control*);
#if DUOMAP_HAS_CUDA
template std::vector<far_point> farthest_points(const gpu_matrix<float>&, const farthest_in_groups<float>&,
                                                const result_for<farthest_in_groups<float>>&, std::uint64_t,
                                                worker_pool&, const run_control*);
#endif

}  // namespace duomap
