#include "apps/algorithms/kmeans/kmeans.hpp"

#include "apps/algorithms/kmeans/exact_means.hpp"
#include "apps/algorithms/kmeans/farthest_in_groups.hpp"
#include "apps/algorithms/kmeans/farthest_points.hpp"
#include "apps/algorithms/kmeans/first_centres.hpp"
#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/kmeans/moving_centres.hpp"
#include "apps/algorithms/numeric/ranges.hpp"
#include "core/begin_progress.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "duomap.hpp"
#include "gpu/device/executor_name.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
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

/// The rows where the centres begin; none where they are given.
template <class T, class Points>
std::vector<std::uint64_t> first_rows(const Points& points, const kmeans_options& options, worker_pool& pool,
                                      const std::atomic<unsigned>& others) {
  if (options.start == kmeans_start::given) return {};
  if (options.start == kmeans_start::random) return random_rows(points.rows, options.clusters, options.seed);
  return spread_rows<T>(points, options.clusters, options.seed, pool, others, options.control);
}

/// The first centres, less the shift.
template <class T, class Points>
std::vector<double> first_centres(const Points& points, const std::vector<std::uint64_t>& rows,
                                  const point_grid<T>& grid, const kmeans_options& options) {
  const std::uint64_t columns = points.columns;
  std::vector<double> centres(options.clusters * columns);
  if (options.start == kmeans_start::given) {
    for (std::uint64_t i = 0; i < centres.size(); ++i) {
      centres[i] = options.initial.data[i] - static_cast<double>(grid.shift[i % columns]);
      // Distances to it could be infinite, and one to another centre no number.
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

/// A point that was given to a cluster without any.
struct given_point {
  std::uint64_t row;
  std::uint32_t cluster;
};

/// Gives each cluster without points one of those that are farthest from their centres, if there are some.
/// `step`: what the centres took last, by `steps`.
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

template <class T>
std::vector<std::uint32_t> labels_of(matrix_view<T> points, const lloyd_step<T>& step, worker_pool& pool,
                                     const run_control* control) {
  std::vector<std::uint32_t> labels(points.rows);
  const std::uint64_t row_bytes = points.columns * sizeof(T);
  for_each_range(
      pool, points.rows, rows_per_range(row_bytes), control, [&](std::uint64_t begin, std::uint64_t end) {
        const char* const bytes = reinterpret_cast<const char*>(points.data) + begin * row_bytes;
        step.find_nearest({.data = bytes, .size = (end - begin) * row_bytes}, labels.data() + begin);
      });
  return labels;
}

#if DUOMAP_HAS_CUDA
std::vector<std::uint32_t> labels_of(gpu_matrix<float> points, const lloyd_step<float>& step,
                                     worker_pool& /*pool*/, const run_control* /*control*/) {
  std::vector<std::uint32_t> labels(points.rows);
  gpu::find_labels(points, step, labels.data());
  return labels;
}

/// The steps over points that lie on a GPU: what iterative_job is for all others.
class steps_on_gpu {
 public:
  steps_on_gpu(const lloyd_step<float>& first, gpu_matrix<float> points, worker_pool& pool,
               run_control* control)
    : points_(points), pool_(pool), control_(control) {
    const double begin = scheduler::steady_seconds();
    loop_ = gpu::make_resident(first, {}, points.gpu);
    report_.parts.push_back(
        {.name = gpu::executor_name(points.gpu),
         .planned_share = 1,
         .share = 1,
         .moved_bytes = loop_->hold({.data = points.bytes().data, .size = points.bytes().size}),
         .kind = executor_kind::device});
    report_.units = points.bytes().size;
    report_.parts[0].start_seconds = scheduler::steady_seconds() - begin;
    report_.notes.push_back(report_.parts[0].name + ": the points lay in its memory; " +
                            std::to_string(report_.parts[0].moved_bytes) +
                            " bytes of them came from the host");
  }

  [[nodiscard]] result_for<lloyd_step<float>> step(const lloyd_step<float>& task) {
    stop_if_cancelled(control_);
    const double begin = scheduler::steady_seconds();
    auto found = make_result(task, loop_->step(task), pool_);
    iterative_part& mine = report_.parts[0];
    mine.seconds = report_.step_seconds = scheduler::steady_seconds() - begin;
    mine.busy_seconds += mine.seconds;
    mine.units += report_.units;
    report_.seconds += mine.seconds;
    report_.steps = ++mine.steps;
    if (control_ != nullptr) control_->units_done.fetch_add(report_.units, std::memory_order_relaxed);
    return found;
  }

  /// See iterative_job::place(): the points are there.
  template <class Meanwhile>
  void place(const lloyd_step<float>& /*task*/, const Meanwhile& meanwhile) {
    meanwhile(std::atomic<unsigned>(0));
  }

  /// See iterative_job::pass().
  template <class Other>
  [[nodiscard]] result_for<Other> pass(const lloyd_step<float>& /*task*/, const Other& other) {
    return make_result(other, gpu::make_resident(other, loop_->held(), points_.gpu)->step(other), pool_);
  }

  [[nodiscard]] const iterative_report& report() const { return report_; }

 private:
  gpu_matrix<float> points_;
  worker_pool& pool_;
  run_control* control_;
  std::unique_ptr<resident_loop<lloyd_step<float>>> loop_;
  iterative_report report_;
};
#endif

/// The centres to return, after the `step` by which they moved last and what it had `given` to empty
/// clusters. Those of doubles are exact means: the grid of the sums has fewer digits than a double.
template <class T, class Points>
matrix<double> means_of(const Points& points, const moving_centres<T>& centres, const lloyd_step<T>& step,
                        std::span<const given_point> given, worker_pool& pool, const run_control* control) {
  const std::uint32_t clusters = step.centres();
  matrix<double> means;
  if constexpr (std::is_same_v<T, double>) {
    std::vector<std::uint32_t> labels = labels_of(points, step, pool, control);
    for (const given_point& one : given) labels[one.row] = one.cluster;
    means = exact_means(points, labels, clusters, pool, control);
  } else {
    means = matrix<double>(clusters, points.columns, "the centres of k-means");
  }
  for (std::uint32_t c = 0; c < clusters; ++c) {
    if (std::is_same_v<T, double> && centres.size(c) > 0) continue;
    for (std::uint32_t d = 0; d < points.columns; ++d) means.row(c)[d] = centres.at(c, d);
  }
  return means;
}

/// When that was done which is no step.
class outside_steps {
 public:
  [[nodiscard]] double seconds() const { return scheduler::steady_seconds() - origin_; }
  void begins() { began_ = seconds(); }
  void ends(const char* what) { events_.push_back({"k-means", what, began_, seconds()}); }
  /// With those of the job, which was made at a time.
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

/// `make_steps`: called with the first step, makes what does them. `labels_at`: in the memory of a GPU, or
/// null.
template <class T, class Points, class MakeSteps>
kmeans_result cluster(const Points& points, const kmeans_options& options, worker_pool& pool,
                      const MakeSteps& make_steps, std::uint32_t* labels_at = nullptr) {
  outside_steps clock;
  const auto columns = static_cast<std::uint32_t>(points.columns);
  // Has the sizes of the steps. Their grid and their centres follow when the points are where they stay.
  moving_centres<T> nowhere({std::vector<T>(columns), std::vector<double>(columns, 1), 1}, options.clusters,
                            std::vector<double>(std::uint64_t{options.clusters} * columns));
  const lloyd_step<T> sizes = nowhere.step(true);
  const auto steps = make_steps(sizes);
  const double job_made = clock.seconds();
  begin_progress(options.control, 0);
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
  bool moved = true;  // since the last step
  lloyd_step<T> step;
  std::vector<given_point> given;
  while (result.iterations < options.max_iterations && !result.converged) {
    step = centres.step(result.iterations == 0);
    centres.take(steps->step(step));
    if (result.iterations == 0) tolerated = options.tolerance * centres.mean_variance();
    ++result.iterations;
    moved = !centres.stand_still();
    clock.begins();
    given = fill_empty_clusters(centres, points, *steps, step, pool, options.control);
    if (!given.empty()) {
      clock.ends("points for empty clusters");
      moved = true;
    }
    result.converged = !moved || centres.move() <= tolerated;
  }
  clock.begins();
  result.centres = means_of(points, centres, step, given, pool, options.control);
  clock.ends("means");
  if (moved) centres.take(steps->step(centres.step(false)));

  for (std::uint32_t c = 0; c < options.clusters; ++c) result.sizes.push_back(centres.size(c));
  result.inertia = centres.inertia();
  if (options.labels) {
    clock.begins();
    if (labels_at == nullptr) result.labels = labels_of(points, centres.step(false), pool, options.control);
#if DUOMAP_HAS_CUDA
    if constexpr (std::is_same_v<Points, gpu_matrix<float>>) {
      if (labels_at != nullptr) gpu::find_labels(points, centres.step(false), labels_at);
    }
#endif
    clock.ends("labels");
  }
  result.report = steps->report();
  if (options.timeline) result.report.timeline = clock.with(std::move(result.report.timeline), job_made);
  end_progress(options.control);
  return result;
}

// A run hardly ever ends sooner unless it is told to.
std::uint32_t expected_steps(const kmeans_options& options) { return std::min(options.max_iterations, 10u); }

}  // namespace

template <class T>
std::shared_ptr<void> start_ahead_of_kmeans(std::uint64_t rows, std::uint64_t columns,
                                            const kmeans_options& options, unsigned workers) {
  using job_of_steps = iterative_job<lloyd_step<T>>;
  const auto points = static_cast<double>(rows);
  const double coordinates = static_cast<double>(columns) * static_cast<double>(options.clusters);
  auto started = job_of_steps::start_ahead(options.device, options.gpus, rows * columns * sizeof(T), workers,
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
    return std::make_unique<job_of_steps>(
        first, from, pool,
        iterative_options{
            .device = options.device,
            .gpus = options.gpus,
            .expected_steps = expected_steps(options),
            .most_steps = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                std::uint64_t{options.max_iterations} + 1, std::numeric_limits<std::uint32_t>::max())),
            .split = options.split,
            .strict = options.strict,
            .timeline = options.timeline,
            .control = options.control});
  });
}

kmeans_result kmeans(gpu_matrix<float> points, const kmeans_options& options, worker_pool& pool,
                     std::uint32_t* labels_at) {
#if DUOMAP_HAS_CUDA
  check<float>(points, options);
  require_its_gpu(options.device, options.gpus, points.gpu, "points");
  return cluster<float>(
      points, options, pool,
      [&](const lloyd_step<float>& first) {
        return std::make_unique<steps_on_gpu>(first, points, pool, options.control);
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
  return kmeans(points, options, *cpu::machine_pool(0, from));
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
