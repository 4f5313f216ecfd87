// Measures steps and whole runs of k-means beside a plain loop and scikit-learn.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/python_script.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/error.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/moving_centres.hpp"
#include "numeric/tests/kmeans/plain_step.hpp"
#include "scheduler/iterative/iterative_job.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::uint64_t points = 1'000'000;
  std::vector<std::uint32_t> dimensions{3, 32};
  std::vector<std::uint32_t> clusters{20, 100};
  std::uint32_t rounds = 7;
  std::uint64_t seed = 1;
  bool on_gpu = false;
  std::string python = "python3";
};

/// Points scattered around a hundred places.
matrix<float> synthetic_points(std::uint64_t points, std::uint32_t dimensions, std::uint64_t seed) {
  constexpr std::uint64_t place_count = 100, rows_of_range = 65'536;
  matrix<float> made(points, dimensions, "the points of the benchmark");
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> place(-50, 50);
  std::vector<float> places(place_count * dimensions);
  for (float& one : places) one = place(random);
  const auto pool = cpu::machine_pool(0, view_input(made.view().bytes(), "points"));
  for_each_range(*pool, points, rows_of_range, nullptr, [&](std::uint64_t begin, std::uint64_t end) {
    std::mt19937_64 own(seed + 1 + begin);
    std::uniform_real_distribution<float> near(-10, 10);
    for (std::uint64_t p = begin; p < end; ++p) {
      const float* const at = places.data() + own() % place_count * dimensions;
      for (std::uint32_t d = 0; d < dimensions; ++d) made.row(p)[d] = at[d] + near(own);
    }
  });
  return made;
}

/// The points and the first centres, which all variants share.
struct problem {
  const matrix<float>& points;
  matrix<double> centres;
};

problem with_centres(const matrix<float>& points, std::uint32_t clusters) {
  problem made{points, matrix<double>(clusters, points.columns(), "the centres of the benchmark")};
  for (std::uint64_t c = 0; c < clusters; ++c) {
    for (std::uint64_t d = 0; d < points.columns(); ++d)
      made.centres.row(c)[d] = static_cast<double>(points.row(c * (points.rows() / clusters))[d]);
  }
  return made;
}

/// Repeats one step of an iterative job with the same centres.
class repeated_step {
 public:
  repeated_step(const problem& of, unsigned threads, device_choice device)
    : from_(view_input(of.points.view().bytes(), "points")),
      pool_(cpu::machine_pool(threads, from_)),
      centres_(moving(of, *pool_)),
      job_(centres_.step(true), from_, *pool_, {.device = device}) {
    centres_.take(job_.step(centres_.step(true)));
  }

  void run() { centres_.take(job_.step(centres_.step(false))); }
  [[nodiscard]] std::uint64_t size(std::uint32_t cluster) const { return centres_.size(cluster); }
  [[nodiscard]] iterative_report report() const { return job_.report(); }

 private:
  static moving_centres<float> moving(const problem& of, worker_pool& pool) {
    point_grid<float> grid = grid_of(of.points.view(), pool);
    std::vector<double> first(of.centres.data(),
                              of.centres.data() + of.centres.rows() * of.centres.columns());
    for (std::size_t i = 0; i < first.size(); ++i)
      first[i] -= static_cast<double>(grid.shift[i % of.centres.columns()]);
    return {std::move(grid), static_cast<std::uint32_t>(of.centres.rows()), std::move(first)};
  }

  input from_;
  std::unique_ptr<worker_pool> pool_;
  moving_centres<float> centres_;
  iterative_job<lloyd_step<float>> job_;
};

// Times fit() with eleven iterations and with one, and divides the difference by ten, so that the rest of
// fit() does not count.
constexpr const char* scikit_learn_script = R"(
import os, sys, time, warnings
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = sys.argv[3]
import numpy, sklearn
from sklearn.cluster import KMeans
warnings.filterwarnings("ignore")
points, centres = numpy.load(sys.argv[1]), numpy.load(sys.argv[2]).astype(numpy.float32)
def fit(iterations):
    model = KMeans(len(centres), init=centres, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
    start = time.perf_counter()
    model.fit(points)
    return time.perf_counter() - start, model.n_iter_
fit(2)
best = min((lambda many, one: (many[0] - one[0]) / (many[1] - one[1]))(fit(11), fit(1)) for _ in range(3))
print(best, sklearn.__version__)
)";

struct python_step {
  double seconds = 0;  ///< 0 if scikit-learn is missing
  std::string version;
};

python_step scikit_learn_step(const problem& of, unsigned threads, const std::string& python) {
  const python_script script(python, scikit_learn_script);
  const std::string points = script.path_of("points.npy"), centres = script.path_of("centres.npy");
  write_npy(points, of.points.view());
  write_npy(centres, of.centres.view());
  python_step step;
  std::istringstream(script.run({points, centres, std::to_string(threads)})) >> step.seconds >> step.version;
  return step;
}

void compare_sizes(const repeated_step& found, const std::vector<std::uint64_t>& expected,
                   std::uint64_t points) {
  // If rounding decides which of two centres is nearer to a point, a plain loop may choose the other centre.
  std::uint64_t different = 0;
  for (std::uint32_t c = 0; c < expected.size(); ++c) {
    const std::uint64_t size = found.size(c);
    different += size > expected[c] ? size - expected[c] : expected[c] - size;
  }
  require_same_answer(
      different <= points / 10'000, "duomap", "the plain loop",
      count_text(different) + " of " + count_text(points, "point") + " are in other clusters");
}

std::string workload_of(std::uint64_t points, std::uint32_t dimensions, std::uint32_t clusters) {
  return count_text(points) + " x " + count_text(dimensions) + ", k " + count_text(clusters);
}

std::vector<bench_table> bench_on_cpu(const bench_options& options, std::uint64_t count, unsigned rounds,
                                      const run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  bench_table table{.name = "kmeans",
                    .title = "k-means, one step, CPU",
                    .subject =
                        "Points of float32 in memory; rounds taken in turn, sizes of clusters compared; "
                        "scikit-learn, which is not compared, the best of three",
                    .baseline = "the plain loop"};
  for (const std::uint32_t dimensions : options.dimensions) {
    const matrix<float> points = synthetic_points(count, dimensions, options.seed);
    for (const std::uint32_t clusters : options.clusters) {
      say("dimensions " + std::to_string(dimensions) + ", k " + std::to_string(clusters));
      const problem of = with_centres(points, clusters);
      const std::string workload = workload_of(count, dimensions, clusters);
      std::vector<std::uint64_t> sizes;
      repeated_step one(of, 1, device_choice::cpu), all(of, cores, device_choice::cpu);
      const auto loop = [&] {
        return timed_run{
            .seconds = seconds_of([&] { sizes = plain_step(of.points.view(), of.centres.view()).sizes; })};
      };
      const auto step_of = [&](repeated_step& step) {
        return [&] {
          const timed_run timed{.seconds = seconds_of([&] { step.run(); })};
          compare_sizes(step, sizes, count);
          return timed;
        };
      };
      std::vector<variant> variants = {{.name = "plain loop", .run = loop, .warm_up = 0},
                                       {.name = "duomap", .run = step_of(one), .warm_up = 0}};
      if (cores > 1)
        variants.push_back({.name = "duomap", .threads = cores, .run = step_of(all), .warm_up = 0});
      const bench_work work{static_cast<double>(count), "points"};
      const std::size_t first = table.rows.size();
      comparison(control).add_in_turn(variants, rounds, workload, work, table);
      bench_row other{.workload = workload, .program = "scikit-learn", .threads = cores, .work = work};
      const python_step python = scikit_learn_step(of, cores, options.python);
      if (python.seconds > 0) {
        other.seconds = {python.seconds};
        other.note = "version " + python.version;
      } else {
        other.not_measured = "'" + options.python + "' cannot import scikit-learn";
      }
      table.rows.push_back(std::move(other));
      set_speed_ups(table, first);
    }
  }
  return {table};
}

std::vector<bench_table> bench_on_gpu(const bench_options& options, std::uint64_t count, unsigned rounds,
                                      run_control& control) {
  const gpu::device_info& gpu = first_gpu();
  constexpr std::uint32_t iterations = 20;
  bench_table steps{.name = "kmeans-gpu-step",
                    .title = "k-means, a step over resident data: " + gpu.name,
                    .subject = "Points of float32; each device keeps its part in its memory",
                    .plotted = bench_axis::rate};
  bench_table runs{
      .name = "kmeans-gpu-run",
      .title = "k-means, a run of " + std::to_string(iterations) + " iterations: " + gpu.name,
      .subject =
          "From points in host memory to the result, rounds taken in turn, CUDA started before; all results "
          "the same bit for bit",
      .baseline = "the better device alone"};
  for (const std::uint32_t dimensions : options.dimensions) {
    const matrix<float> points = synthetic_points(count, dimensions, options.seed);
    for (const std::uint32_t clusters : options.clusters) {
      say("dimensions " + std::to_string(dimensions) + ", k " + std::to_string(clusters));
      const problem of = with_centres(points, clusters);
      const auto row = [&](device_choice device, double repeated) {
        return row_on(device, workload_of(count, dimensions, clusters), "duomap",
                      {static_cast<double>(count) * repeated, "points"});
      };
      for (const device_choice how : device_modes) {
        repeated_step step(of, 0, how);
        const auto once = [&] {
          return timed_run{.seconds = seconds_of([&] { step.run(); })};
        };
        bench_row& one = steps.rows.emplace_back(row(how, 1));
        one.seconds = comparison(control).alone(variant_on(how, one.program, once), 5 * rounds).seconds();
        one.checked = false;
      }
      std::optional<double> inertia;
      const auto run = [&](device_choice how) {
        timed_run one;
        kmeans_result found;
        one.seconds = seconds_of([&] {
          found = kmeans(of.points.view(), {.clusters = clusters,
                                            .start = kmeans_start::given,
                                            .initial = of.centres.view(),
                                            .max_iterations = iterations,
                                            .tolerance = 0,
                                            .run = {.device = how, .control = &control}});
        });
        if (!inertia) inertia = found.inertia;
        require_same_answer(found.inertia == *inertia, "duomap on " + device_text(how), "the first run");
        double moving = 0, share = 0;
        for (const iterative_part& part : found.report.parts) {
          moving = std::max(moving, part.move_seconds);  // all parts move their data at once
          share += part.kind == executor_kind::device ? part.share : 0;
        }
        one.figures = {{"outside the steps, last run", one.seconds - found.report.seconds, "s"},
                       {"moving data, last run", moving, "s"},
                       {"GPU's share", 100 * share, "%"}};
        return one;
      };
      compare_device_modes(row(device_choice::automatic, iterations), rounds, control, run, runs);
    }
  }
  return {steps, runs};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_number(command, "--points", options.points, "points", {{.least = 1000, .most = 1u << 31}});
  add_numbers(command, "--dimensions", options.dimensions, "numbers of a point", {.least = 1, .most = 4096});
  add_numbers(command, "--k", options.clusters, "clusters", {.least = 1, .most = 1000});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_number(command, "--seed", options.seed, "of the points");
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU, and CPU and GPU together, instead of\nscikit-learn (where it is installed)");
  add_text(command, "--python", options.python, "a Python that has scikit-learn");
}

std::vector<bench_table> bench_kmeans(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const std::uint64_t points = std::max<std::uint64_t>(context.size(options.points), 1000);
  const unsigned rounds = context.rounds(options.rounds);
  return options.on_gpu ? bench_on_gpu(options, points, rounds, context.control)
                        : bench_on_cpu(options, points, rounds, context.control);
}

}  // namespace

const benchmark kmeans_benchmark{
    .name = "kmeans",
    .summary = "clusters of points, against one loop and scikit-learn",
    .add_options = add_options,
    .measure = bench_kmeans,
};

}  // namespace duomap::apps
