// Runs k-means: places the points, takes steps until the centres stand still, and checks the answer's
// precision.
#include "numeric/kmeans/kmeans.hpp"

#include "core/add_note.hpp"
#include "core/begin_progress.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "duomap.hpp"
#include "numeric/kmeans/direct_lloyd.hpp"
#include "numeric/kmeans/exact_means.hpp"
#include "numeric/kmeans/farthest_in_groups.hpp"
#include "numeric/kmeans/farthest_points.hpp"
#include "numeric/kmeans/first_centres.hpp"
#include "numeric/kmeans/gpu_points.hpp"
#include "numeric/kmeans/moving_centres.hpp"
#include "numeric/kmeans/nearest_labels.hpp"
#include "numeric/kmeans/steps_on_gpu.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {
namespace {

// `Points`: a matrix_view or a gpu_matrix of T.

template <class T, class Points>
void check(const Points& points, const kmeans_options& options) {
  if (points.rows == 0 || points.columns == 0)
    throw usage_error("k-means needs points; there are " + std::to_string(points.rows) + " of " +
                      std::to_string(points.columns) + " dimensions");
  if (points.columns > std::numeric_limits<std::uint32_t>::max() / sizeof(T))
    throw usage_error("k-means takes points of fewer dimensions than " + std::to_string(points.columns));
  if (options.clusters == 0 || options.clusters > points.rows)
    throw usage_error("k-means finds from 1 to as many clusters as there are points: not " +
                      std::to_string(options.clusters) + " of " + std::to_string(points.rows) +
                      (points.rows == 1 ? " point" : " points"));
  if (options.max_iterations == 0) throw usage_error("k-means needs an iteration at least");
  if (!(options.tolerance >= 0))
    throw usage_error("the tolerance of k-means is 0 or more, not " + std::to_string(options.tolerance));
  if (options.start != kmeans_start::given) return;
  const matrix_view<double>& initial = options.initial;
  if (initial.rows != options.clusters || initial.columns != points.columns)
    throw usage_error("the initial centres are " + std::to_string(initial.rows) + " rows of " +
                      std::to_string(initial.columns) + " columns, and must be " +
                      std::to_string(options.clusters) + " of " + std::to_string(points.columns));
  for (std::uint64_t i = 0; i < initial.rows * initial.columns; ++i) {
    if (!std::isfinite(initial.data[i]))
      throw usage_error("initial centre " + std::to_string(i / initial.columns) +
                        " (from 0) has a coordinate that is no finite number");
  }
}

/// The rows that become the first centres; empty when the caller gives centres.
template <class T, class Points>
std::vector<std::uint64_t> first_rows(const Points& points, const kmeans_options& options, worker_pool& pool,
                                      const std::atomic<unsigned>& others) {
  if (options.start == kmeans_start::given) return {};
  if (options.start == kmeans_start::random) return random_rows(points.rows, options.clusters, options.seed);
  return spread_rows<T>(points, options.clusters, options.seed, pool, others, options.run.control);
}

/// The first centres, with the shift subtracted.
template <class T, class Points>
std::vector<double> first_centres(const Points& points, const std::vector<std::uint64_t>& rows,
                                  const point_grid<T>& grid, const kmeans_options& options) {
  const std::uint64_t columns = points.columns;
  std::vector<double> centres(options.clusters * columns);
  if (options.start == kmeans_start::given) {
    for (std::uint64_t i = 0; i < centres.size(); ++i) {
      centres[i] = options.initial.data[i] - static_cast<double>(grid.shift[i % columns]);
      // Refuses a centre that is farther away: distances to such centres could be infinite, and the
      // difference of two of them NaN.
      if (!(std::abs(centres[i]) < std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) /
                                             (16 * static_cast<double>(columns)))))
        throw usage_error("initial centre " + std::to_string(i / columns) +
                          " (from 0) is too far away for squared distances in " +
                          (sizeof(T) == 4 ? "float32" : "float64"));
    }
    return centres;
  }
  const std::vector<T> chosen = rows_at(points, rows);
  for (std::uint64_t i = 0; i < centres.size(); ++i) {
    const T shifted = chosen[i] - grid.shift[i % columns];
    centres[i] = static_cast<double>(shifted);
  }
  return centres;
}

/// A point that fill_empty_clusters() moved into an empty cluster.
struct given_point {
  std::uint64_t row;
  std::uint32_t cluster;
};

/// Moves one of the points farthest from their centres into each empty cluster; points on their centres stay.
/// `step`: the step, run by `steps`, whose sums `centres` took last.
template <class T, class Points, class Steps>
std::vector<given_point> fill_empty_clusters(moving_centres<T>& centres, const Points& points, Steps& steps,
                                             const lloyd_step<T>& step, worker_pool& pool,
                                             const run_control* control) {
  std::vector<std::uint32_t> empty;
  for (std::uint32_t c = 0; c < step.centres(); ++c) {
    if (centres.size(c) == 0) empty.push_back(c);
  }
  std::vector<given_point> given;
  if (empty.empty()) return given;
  const farthest_in_groups<T> in_groups(step, points.rows);
  const auto groups = steps.pass(step, in_groups);
  for (const auto& far : farthest_points(points, in_groups, groups, empty.size(), pool, control)) {
    const std::uint32_t to = empty[given.size()];
    const std::uint64_t row[] = {far.row};
    centres.move_point(rows_at(points, row).data(), far.centre, to);
    given.push_back({far.row, to});
  }
  return given;
}

constexpr const char* note_on_differences =
    "sums on a grid do not tell these points apart, for how far the farthest are: clustered once more by "
    "differences of coordinates, in float64 on the CPU";
constexpr const char* note_on_lost_points =
    " points lie so near to their centres, for how far the farthest are, that float64 holds no square of the "
    "distance; scale or leave out the farthest";
constexpr const char* note_on_near_centres =
    "centres lie too close together, for how far from the mean they are, for squared distances in float32: "
    "points near them may have the label of another; use float64 (--float64)";

/// Clusters the points by differences of coordinates if sums on the grid, or scores in double, are too coarse
/// for them. Otherwise returns nothing. `centres`: the centres of the last step. `rows`: the rows of the
/// first centres.
template <class T, class Points>
std::optional<direct_clusters> direct_answer(const Points& points, const std::vector<std::uint64_t>& rows,
                                             const moving_centres<T>& centres, const kmeans_options& options,
                                             worker_pool& pool) {
  const bool apart = std::is_same_v<T, float> || centres.centres_are_apart();
  if (apart && centres.grid_is_fine()) return std::nullopt;
  matrix<double> copy;
  matrix_view<double> doubles;
  if constexpr (std::is_same_v<T, double>) {
    doubles = points;
  } else {
    copy = doubles_of(points);
    doubles = copy.view();
  }
  if (apart && centres.holds_exactly(doubles)) return std::nullopt;
  matrix<double> first(options.clusters, points.columns, "the centres of k-means");
  if (options.start == kmeans_start::given) {
    std::ranges::copy(options.initial.values(), first.data());
  } else {
    std::ranges::copy(rows_at(points, rows), first.data());
  }
  return cluster_directly(doubles, std::move(first), options.max_iterations, options.tolerance, pool,
                          options.run.control);
}

/// The current centres, with the shift added.
template <class T>
matrix<double> means_of(const moving_centres<T>& centres) {
  matrix<double> means(centres.clusters(), centres.dimensions(), "the centres of k-means");
  for (std::uint32_t c = 0; c < centres.clusters(); ++c) {
    for (std::uint32_t d = 0; d < centres.dimensions(); ++d) means.row(c)[d] = centres.at(c, d);
  }
  return means;
}

/// Makes the answer for doubles, which have more digits than the grid. Labels the points by the last `step`,
/// moves the points `given` to empty clusters, and computes the exact means of the clusters.
direct_clusters of_exact_means(matrix_view<double> points, moving_centres<double>& centres,
                               const lloyd_step<double>& step, std::span<const given_point> given,
                               worker_pool& pool, const run_control* control) {
  direct_clusters found;
  found.labels = labels_of(points, step, pool, control);
  for (const given_point& one : given) found.labels[one.row] = one.cluster;
  found.centers = means_of(centres);
  const matrix<double> means = exact_means(points, found.labels, centres.clusters(), pool, control);
  for (std::uint32_t c = 0; c < centres.clusters(); ++c) {
    if (centres.size(c) > 0) std::ranges::copy(means.row(c), found.centers.row(c).begin());
  }
  centres.move_to(found.centers);
  found.labels = labels_of(points, centres.step(false), pool, control);
  found.inertia = inertia_of(points, found.centers, found.labels, pool, control);
  return found;
}

/// Times the work between steps.
class between_steps_timer {
 public:
  [[nodiscard]] double seconds() const { return scheduler::steady_seconds() - origin_; }
  void begins() { began_ = seconds(); }
  void ends(const char* what) { events_.push_back({"k-means", what, began_, seconds()}); }
  /// Adds the times of the steps, from a job that was made at `made`.
  [[nodiscard]] std::vector<timeline_event> with(std::vector<timeline_event> steps, double made) const {
    std::vector<timeline_event> all;
    scheduler::append_timeline(all, std::move(steps), made);
    scheduler::append_timeline(all, events_, 0);
    return all;
  }

 private:
  double origin_ = scheduler::steady_seconds();
  double began_ = 0;
  std::vector<timeline_event> events_;
};

/// `make_steps` takes the first step, and returns the object that runs the steps. `labels_at` points into the
/// memory of a GPU, or is null.
template <class T, class Points, class MakeSteps>
kmeans_result cluster(const Points& points, const kmeans_options& options, worker_pool& pool,
                      const MakeSteps& make_steps, std::uint32_t* labels_at = nullptr) {
  between_steps_timer clock;
  const auto columns = static_cast<std::uint32_t>(points.columns);
  // Placeholders, which only tell a step its sizes. The real grid and centres follow once points are placed.
  moving_centres<T> nowhere({std::vector<T>(columns), std::vector<double>(columns, 1), 1}, options.clusters,
                            std::vector<double>(std::uint64_t{options.clusters} * columns));
  const lloyd_step<T> sizes = nowhere.step(true);
  const auto steps = make_steps(sizes);
  const double job_made = clock.seconds();
  begin_progress(options.run.control, 0);
  std::vector<std::uint64_t> rows;
  steps->place(sizes, [&](const std::atomic<unsigned>& devices) {
    clock.begins();
    rows = first_rows<T>(points, options, pool, devices);
    clock.ends("first centres");
  });
  clock.begins();
  point_grid<T> grid = grid_of<T>(points, steps->pass(sizes, column_extremes<T>{columns}), pool);
  clock.ends("extremes");
  std::vector<double> first = first_centres<T>(points, rows, grid, options);
  moving_centres<T> centres(std::move(grid), options.clusters, std::move(first));
  kmeans_result result;
  double tolerated = 0;
  bool moved = true;  // whether a centre has moved since the last step
  lloyd_step<T> step;
  std::vector<given_point> given;
  std::string note;
  while (result.iterations < options.max_iterations && !result.converged) {
    step = centres.step(result.iterations == 0);
    centres.take(steps->step(step));
    if (result.iterations == 0) tolerated = options.tolerance * centres.mean_variance();
    ++result.iterations;
    moved = !centres.stand_still();
    clock.begins();
    given = fill_empty_clusters(centres, points, *steps, step, pool, options.run.control);
    if (!given.empty()) {
      clock.ends("points for empty clusters");
      moved = true;
    }
    result.converged = !moved || centres.move() <= tolerated;
  }
  clock.begins();
  std::optional<direct_clusters> exact = direct_answer(points, rows, centres, options, pool);
  if (exact) {
    result.iterations = exact->iterations;
    result.converged = exact->converged;
    note = note_on_differences;
    if (exact->lost > 0) result.loss = std::to_string(exact->lost) + note_on_lost_points;
    clock.ends("differences");
  } else if constexpr (std::is_same_v<T, double>) {
    exact = of_exact_means(points, centres, step, given, pool, options.run.control);
    clock.ends("means");
  } else {
    if (moved) centres.take(steps->step(centres.step(false)));
    if (!centres.centres_are_apart()) result.loss = note_on_near_centres;
    for (std::uint32_t c = 0; c < options.clusters; ++c) result.sizes.push_back(centres.size(c));
    result.centers = means_of(centres);
    result.inertia = centres.inertia();
    clock.ends("means");
    if (options.labels) {
      clock.begins();
      if (labels_at == nullptr)
        result.labels = labels_of(points, centres.step(false), pool, options.run.control);
#if DUOMAP_HAS_CUDA
      if constexpr (std::is_same_v<Points, gpu_matrix<float>>) {
        if (labels_at != nullptr) gpu::find_labels(points, centres.step(false), labels_at);
      }
#endif
      clock.ends("labels");
    }
  }
  if (exact) {
    result.sizes.resize(options.clusters);
    for (const std::uint32_t label : exact->labels) ++result.sizes[label];
    result.centers = std::move(exact->centers);
    result.inertia = exact->inertia;
#if DUOMAP_HAS_CUDA
    if (options.labels && labels_at != nullptr) gpu::store_labels(exact->labels, labels_at);
#endif
    if (options.labels && labels_at == nullptr) result.labels = std::move(exact->labels);
  }
  result.report = steps->report();
  add_note(result.report.notes, note);
  add_note(result.report.notes, result.loss);
  if (options.run.timeline) result.report.timeline = clock.with(std::move(result.report.timeline), job_made);
  end_progress(options.run.control);
  return result;
}

// The number of steps to expect. Few runs end sooner, unless max_iterations is smaller.
std::uint32_t expected_steps(const kmeans_options& options) { return std::min(options.max_iterations, 10u); }

}  // namespace

template <class T>
std::shared_ptr<void> start_ahead_of_kmeans(std::uint64_t rows, std::uint64_t columns,
                                            const kmeans_options& options, unsigned workers) {
  using job_of_steps = iterative_job<lloyd_step<T>>;
  const auto points = static_cast<double>(rows);
  const double coordinates = static_cast<double>(columns) * static_cast<double>(options.clusters);
  auto started =
      job_of_steps::start_ahead(options.run.device, options.run.gpus, rows * columns * sizeof(T), workers,
                                {lloyd_step<T>::cpu_seconds_of(points, coordinates, workers),
                                 lloyd_step<T>::gpu_seconds_of(points, coordinates)},
                                expected_steps(options));
  return std::make_shared<decltype(started)>(std::move(started));
}

template <class T>
kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options, worker_pool& pool) {
  check<T>(points, options);
  using job_of_steps = iterative_job<lloyd_step<T>>;
  const auto started = start_ahead_of_kmeans<T>(points.rows, points.columns, options, pool.workers());
  const input from = view_input(points.bytes(), "points");
  return cluster<T>(points, options, pool, [&](const lloyd_step<T>& first) {
    run_options how = options.run;
    how.steps.expected = expected_steps(options);
    how.steps.most = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        std::uint64_t{options.max_iterations} + 1, std::numeric_limits<std::uint32_t>::max()));
    return std::make_unique<job_of_steps>(first, from, pool, how);
  });
}

kmeans_result kmeans(gpu_matrix<float> points, const kmeans_options& options, worker_pool& pool,
                     std::uint32_t* labels_at) {
#if DUOMAP_HAS_CUDA
  check<float>(points, options);
  require_device_of_matrix(options.run.device, options.run.gpus, points.gpu, "points");
  return cluster<float>(
      points, options, pool,
      [&](const lloyd_step<float>& first) {
        return std::make_unique<steps_on_gpu>(first, points, pool, options.run.control);
      },
      labels_at);
#else
  static_cast<void>(points), static_cast<void>(options), static_cast<void>(pool),
      static_cast<void>(labels_at);
  throw device_unavailable(no_code_for_gpu_matrices);
#endif
}

template <class T>
kmeans_result kmeans(matrix_view<T> points, const kmeans_options& options) {
  const input from = view_input(points.bytes(), "points");
  return kmeans(points, options, *cpu::machine_pool(options.run.threads, from));
}

template <class T>
kmeans_result kmeans(std::span<const T> points, std::uint64_t columns, const kmeans_options& options) {
  if (columns == 0 || points.size() % columns != 0)
    throw usage_error(std::to_string(points.size()) + " numbers are no whole rows of " +
                      std::to_string(columns));
  return kmeans(matrix_view<T>(points, columns), options);
}

template kmeans_result kmeans(matrix_view<float>, const kmeans_options&, worker_pool&);
template kmeans_result kmeans(matrix_view<double>, const kmeans_options&, worker_pool&);
template kmeans_result kmeans(matrix_view<float>, const kmeans_options&);
template kmeans_result kmeans(matrix_view<double>, const kmeans_options&);
template kmeans_result kmeans(std::span<const float>, std::uint64_t, const kmeans_options&);
template kmeans_result kmeans(std::span<const double>, std::uint64_t, const kmeans_options&);
template std::shared_ptr<void> start_ahead_of_kmeans<float>(std::uint64_t, std::uint64_t,
                                                            const kmeans_options&, unsigned);
template std::shared_ptr<void> start_ahead_of_kmeans<double>(std::uint64_t, std::uint64_t,
                                                             const kmeans_options&, unsigned);

}  // namespace duomap
