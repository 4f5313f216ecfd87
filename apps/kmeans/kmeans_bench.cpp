#include "apps/kmeans/kmeans_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/kmeans/kmeans.hpp"
#include "apps/kmeans/moving_centres.hpp"
#include "apps/kmeans/plain_step.hpp"
#include "apps/numeric/ranges.hpp"
#include "apps/numeric/write_table.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/processor.hpp"
#include "gpu/device/device.hpp"
#include "iterative_job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
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
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// Points around a hundred places.
matrix<float> made_up_points(std::uint64_t points, std::uint32_t dimensions, std::uint64_t seed) {
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

/// A setting that all contenders share.
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

/// Steps of an iterative job with the same centres again and again.
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
  static moving_centres<float> moving(const problem& of, parallel& pool) {
    point_grid<float> grid = grid_of(of.points.view(), pool, nullptr);
    std::vector<double> first(of.centres.data(),
                              of.centres.data() + of.centres.rows() * of.centres.columns());
    for (std::size_t i = 0; i < first.size(); ++i)
      first[i] -= static_cast<double>(grid.shift[i % of.centres.columns()]);
    return {std::move(grid), static_cast<std::uint32_t>(of.centres.rows()), std::move(first)};
  }

  input from_;
  std::unique_ptr<parallel> pool_;
  moving_centres<float> centres_;
  iterative_job<lloyd_step<float>> job_;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The time of an iteration is that of eleven less that of one, over ten: what fit() does besides is left out.
constexpr const char* python_script = R"(
import sys, time, warnings
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
  double seconds = 0;  ///< 0: there is no scikit-learn
  std::string version;
};

python_step scikit_learn_step(const problem& of, unsigned threads, const std::string& python) {
  const temporary_folder folder;
  const std::string points = folder.path() + "/points.npy", centres = folder.path() + "/centres.npy",
                    script = folder.path() + "/step.py";
  write_npy(points, of.points.view());
  write_npy(centres, of.centres.view());
  result_file program(script);
  program.sink().write(byte_view(std::string(python_script)));
  program.commit();
  const std::string number = std::to_string(threads);
  const std::string command = "OMP_NUM_THREADS=" + number + " OPENBLAS_NUM_THREADS=" + number + " '" +
                              python + "' '" + script + "' '" + points + "' '" + centres + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  python_step step;
  char version[64] = "";
  if (pipe && std::fscanf(pipe.get(), "%lf %63s", &step.seconds, version) == 2) step.version = version;
  return step;
}

std::string row_of(std::uint64_t points, std::uint32_t dimensions, std::uint32_t clusters,
                   const std::string& program, unsigned threads, double seconds, double first_seconds) {
  char text[256];
  std::snprintf(text, sizeof text, "| %u | %u | %s | %u | %.4g | %.4g | %.2fx |\n", dimensions, clusters,
                program.c_str(), threads, seconds * 1e3, static_cast<double>(points) / seconds / 1e6,
                first_seconds / seconds);
  return text;
}

void compare_sizes(const repeated_step& found, const std::vector<std::uint64_t>& expected,
                   std::uint64_t points) {
  // Where a point is as far from two centres as rounding can tell, a plain loop may choose the other.
  std::uint64_t different = 0;
  for (std::uint32_t c = 0; c < expected.size(); ++c) {
    const std::uint64_t size = found.size(c);
    different += size > expected[c] ? size - expected[c] : expected[c] - size;
  }
  if (different > points / 10'000)
    throw error(exit_status::failed, "of " + count_text(points, "point") + ", two programs put " +
                                         count_text(different) + " into different clusters");
}

void check_cancelled(const run_control& control) {
  if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
}

std::string bench_on_cpu(const bench_options& options, run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  std::string table = "k-means, one step over " + count_text(options.points, "point") +
                      " of float32, CPU: " + cpu::processor_name() + ", vector path " +
                      std::string(cpu::name(cpu::active_vector_path())) + "; medians of " +
                      std::to_string(options.rounds) +
                      " rounds taken in turn, sizes of clusters compared; scikit-learn the best of three.\n\n"
                      "| dimensions | k | program | threads | ms | million points/s | over the first |\n"
                      "|---:|---:|---|---:|---:|---:|---:|\n";
  for (const std::uint32_t dimensions : options.dimensions) {
    const matrix<float> points = made_up_points(options.points, dimensions, options.seed);
    for (const std::uint32_t clusters : options.clusters) {
      say("dimensions " + std::to_string(dimensions) + ", k " + std::to_string(clusters));
      const problem of = with_centres(points, clusters);
      std::vector<std::uint64_t> sizes;
      repeated_step one(of, 1, device_choice::cpu), all(of, cores, device_choice::cpu);
      std::vector<double> plain_seconds, one_seconds, all_seconds;
      for (std::uint32_t round = 0; round < options.rounds; ++round) {
        check_cancelled(control);
        plain_seconds.push_back(
            seconds_of([&] { sizes = plain_step(of.points.view(), of.centres.view()).sizes; }));
        one_seconds.push_back(seconds_of([&] { one.run(); }));
        all_seconds.push_back(seconds_of([&] { all.run(); }));
        compare_sizes(one, sizes, options.points);
        compare_sizes(all, sizes, options.points);
      }
      const double first = median(plain_seconds);
      const auto add = [&](const std::string& program, unsigned threads, double seconds) {
        table += row_of(options.points, dimensions, clusters, program, threads, seconds, first);
      };
      add("plain loop", 1, first);
      add("duomap", 1, median(one_seconds));
      if (cores > 1) add("duomap", cores, median(all_seconds));
      const python_step python = scikit_learn_step(of, cores, options.python);
      if (python.seconds > 0) {
        add("scikit-learn " + python.version, cores, python.seconds);
      } else {
        say("scikit-learn is not measured: '" + options.python + "' cannot import it");
      }
    }
  }
  return table;
}

std::string bench_on_gpu(const bench_options& options, run_control& control) {
  const auto devices = gpu::discover().devices;
  if (devices.empty()) throw device_unavailable("no GPU can be used: " + gpu::discover().reason);
  constexpr std::uint32_t iterations = 20;
  std::string table =
      "k-means over " + count_text(options.points, "point") + " of float32 on " + devices.front().name +
      " and " + count_text(cpu::usable_cores().cores, "core") + "; a step over resident data: medians of " +
      std::to_string(5 * options.rounds) + "; a run: " + std::to_string(iterations) +
      " iterations from host memory to the result, medians of " + std::to_string(options.rounds) +
      " taken in turn, CUDA started before; all results the same bit for bit.\n\n"
      "| dimensions | k | on | step, ms | run, ms | of it before the steps | moving data | best device alone "
      "over it | GPU's share |\n|---:|---:|---|---:|---:|---:|---:|---:|---:|\n";
  struct way {
    const char* name;
    device_choice device;
  };
  constexpr way ways[] = {
      {"CPU", device_choice::cpu}, {"GPU", device_choice::gpu}, {"both", device_choice::cpu_gpu}};
  for (const std::uint32_t dimensions : options.dimensions) {
    const matrix<float> points = made_up_points(options.points, dimensions, options.seed);
    for (const std::uint32_t clusters : options.clusters) {
      say("dimensions " + std::to_string(dimensions) + ", k " + std::to_string(clusters));
      const problem of = with_centres(points, clusters);
      std::vector<std::vector<double>> runs(std::size(ways));
      std::vector<double> before(std::size(ways)), moving(std::size(ways));  // of the last run
      std::vector<double> steps, shares(std::size(ways));
      for (const way& how : ways) {
        repeated_step step(of, 0, how.device);
        std::vector<double> seconds;
        for (std::uint32_t i = 0; i < 5 * options.rounds; ++i) {
          check_cancelled(control);
          seconds.push_back(seconds_of([&] { step.run(); }));
        }
        steps.push_back(median(seconds));
      }
      double inertia = 0;
      for (std::uint32_t round = 0; round <= options.rounds; ++round) {
        for (std::size_t i = 0; i < std::size(ways); ++i) {
          check_cancelled(control);
          kmeans_result found;
          const double seconds = seconds_of([&] {
            found = kmeans(of.points.view(), {.clusters = clusters,
                                              .start = kmeans_start::given,
                                              .initial = of.centres.view(),
                                              .max_iterations = iterations,
                                              .tolerance = 0,
                                              .device = ways[i].device,
                                              .control = &control});
          });
          if (round > 0) runs[i].push_back(seconds);  // the first warms up
          if (round == 0 && i == 0) inertia = found.inertia;
          if (found.inertia != inertia) throw error(exit_status::failed, "two ways gave different results");
          shares[i] = moving[i] = 0;
          before[i] = seconds - found.report.seconds;
          for (const iterative_part& part : found.report.parts) moving[i] += part.move_seconds;
          for (const iterative_part& part : found.report.parts)
            shares[i] += part.name == "cpu" ? 0 : part.share;
        }
      }
      const double best = std::min(median(runs[0]), median(runs[1]));
      for (std::size_t i = 0; i < std::size(ways); ++i) {
        char text[256];
        std::snprintf(text, sizeof text, "| %u | %u | %s | %.4g | %.4g | %.4g | %.4g | %.3f | %.1f %% |\n",
                      dimensions, clusters, ways[i].name, steps[i] * 1e3, median(runs[i]) * 1e3,
                      before[i] * 1e3, moving[i] * 1e3, best / median(runs[i]), 100 * shares[i]);
        table += text;
      }
    }
  }
  return table;
}

}  // namespace

void add_kmeans_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_number(command, "--points", options.points, "points", {{.least = 1000, .most = 1u << 31}});
  add_numbers(command, "--dimensions", options.dimensions, "numbers of a point", {.least = 1, .most = 4096});
  add_numbers(command, "--k", options.clusters, "clusters", {.least = 1, .most = 1000});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_number(command, "--seed", options.seed, "of the points");
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU, and CPU and GPU together, instead of\nscikit-learn (where it is installed)");
  add_text(command, "--python", options.python, "a Python that has scikit-learn");
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_kmeans(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  const std::string table = options.on_gpu ? bench_on_gpu(options, control) : bench_on_cpu(options, control);
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
