// Measures nearest neighbours beside scikit-learn and a plain loop, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/baselines/find_nearest.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/python_script.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/run_resident.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/knn/nearest_rows.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::uint32_t rounds = 5;
  std::string python = "python3";
  bool on_gpu = false;
};

/// The sizes of one search.
struct search_case {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t queries;
  std::uint32_t k;
};

// From few columns to the 784 columns of an MNIST image, for which matrix products are fast.
constexpr std::array cases = {search_case{1'000'000, 3, 1000, 10}, search_case{1'000'000, 3, 1000, 20},
                              search_case{200'000, 32, 1000, 10}, search_case{60'000, 784, 1000, 10}};

// The number of queries whose neighbours are compared. The plain loop searches for these queries only.
constexpr std::uint64_t compared_queries = 20;

/// Adds the next found row to an answer.
void add_row(answer_digest& answer, std::uint64_t row) {
  answer.add(reinterpret_cast<const char*>(&row), sizeof row, answer.rows);
}

timed_run run_duomap(matrix_view<float> training, matrix_view<float> queries, std::uint32_t k,
                     unsigned threads) {
  timed_run one;
  answer_digest& answer = one.answer.emplace();
  const stopwatch clock;
  const knn_result found =
      knn(training, queries, {.k = k, .run = {.device = device_choice::cpu, .threads = threads}});
  one.seconds = clock.seconds();
  for (std::uint64_t query = 0; query < std::min(compared_queries, queries.rows); ++query) {
    for (const neighbour& near : found.of(query)) add_row(answer, near.index);
  }
  return one;
}

timed_run run_plain_loop(matrix_view<float> training, matrix_view<float> queries, std::uint32_t k) {
  timed_run one;
  std::vector<std::uint64_t> rows;
  one.seconds = seconds_of([&] {
    for (std::uint64_t query = 0; query < queries.rows; ++query) {
      const auto near = find_nearest_in_one_loop(training, queries.row(query), k);
      rows.insert(rows.end(), near.begin(), near.end());
    }
  });
  answer_digest& answer = one.answer.emplace();
  for (const std::uint64_t row : rows) add_row(answer, row);
  return one;
}

// The script's clock runs only while it searches, not while Python starts and reads the files.
constexpr const char* scikit_learn_script = R"(import sys, time
try:
    import numpy, sklearn
    from sklearn.neighbors import KNeighborsClassifier
except ImportError as problem:
    print("missing", problem)
    sys.exit(0)
training, queries = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
k, compared = int(sys.argv[3]), int(sys.argv[4])
model = KNeighborsClassifier(n_neighbors=k, algorithm="brute")
model.fit(training, numpy.zeros(len(training), dtype=int))
start = time.perf_counter()
distances, rows = model.kneighbors(queries)
print(time.perf_counter() - start, sklearn.__version__)
print(*rows[:compared].ravel())
)";

/// Runs scikit-learn in a process of its own.
class scikit_learn {
 public:
  explicit scikit_learn(std::string python)
    : python_(std::move(python)), script_(python_, scikit_learn_script) {}

  void prepare(matrix_view<float> training, matrix_view<float> queries) const {
    write_npy(training_, training);
    write_npy(queries_, queries);
  }

  /// Searches once. Returns nothing if scikit-learn cannot run; problem() then says why.
  [[nodiscard]] std::optional<timed_run> run(std::uint32_t k) {
    const std::string text =
        script_.run({training_, queries_, std::to_string(k), std::to_string(compared_queries)});
    std::istringstream words(text);
    timed_run one;
    if (!(words >> one.seconds >> version_)) {
      problem_ = text.empty() ? "'" + python_ + "' did not run the script" : text.substr(0, text.find('\n'));
      return std::nullopt;
    }
    answer_digest& answer = one.answer.emplace();
    for (std::uint64_t row = 0; words >> row;) add_row(answer, row);
    return one;
  }

  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string python_;
  python_script script_;
  std::string training_ = script_.path_of("training.npy"), queries_ = script_.path_of("queries.npy");
  std::string version_;
  std::string problem_;
};

std::vector<bench_table> bench_on_cpu(const bench_options& options, const bench_context& context) {
  const unsigned cores = cpu::usable_cores().cores;
  const unsigned rounds = context.rounds(options.rounds);
  scikit_learn baseline(options.python);
  bench_table table{
      .name = "knn",
      .title = "k nearest neighbours, CPU",
      .subject = "Rows of numbers drawn uniformly, in memory; rounds taken in turn, the neighbours of " +
                 count_text(compared_queries) + " queries compared",
      .baseline = "the first, for a distance"};
  for (const search_case& of : cases) {
    const search_case one{context.size(of.rows), of.columns, of.queries, of.k};
    say("making " + count_text(one.rows) + " rows of " + count_text(one.columns, "number"));
    const matrix<float> training = synthetic_rows(one.rows, one.columns, 1);
    const matrix<float> queries = synthetic_rows(one.queries, one.columns, 2);
    baseline.prepare(training.view(), queries.view());
    const matrix_view<float> few(queries.data(), compared_queries, one.columns);

    const auto ours = [&](unsigned threads) {
      return [&, threads] {
        return run_duomap(training.view(), queries.view(), one.k, threads);
      };
    };
    std::vector<variant> variants = {{.name = "scikit-learn, brute",
                                      .threads = cores,
                                      .run = [&] { return baseline.run(one.k); },
                                      .warm_up = 0},
                                     {.name = "plain loop",
                                      .run = [&] { return run_plain_loop(training.view(), few, one.k); },
                                      .warm_up = 0},
                                     {.name = "duomap", .run = ours(1), .warm_up = 0}};
    if (cores > 1) variants.push_back({.name = "duomap", .threads = cores, .run = ours(cores), .warm_up = 0});
    const std::vector<series> measured =
        comparison(context.control).in_turn(variants, rounds_of_one_run(rounds));
    std::vector<bench_row> all =
        rows_of(variants, measured,
                count_text(one.rows) + " x " + count_text(one.columns) + ", k " + std::to_string(one.k), {});
    for (bench_row& each : all) {
      const auto query_count = static_cast<double>(&each == &all[1] ? compared_queries : one.queries);
      each.work = {static_cast<double>(one.rows) * query_count, "distances"};
      each.figures = {{"queries", query_count}};
      each.checked = true;
    }
    if (all[0].seconds.empty()) all[0].not_measured = baseline.problem();
    // The plain loop does only a few queries, so speed-ups compare the time for one distance.
    const bench_row& first = all[0].seconds.empty() ? all[1] : all[0];
    const bench_work work = first.work;
    for (bench_row& each : all) {
      if (!each.seconds.empty()) each.speed_up = speed_up_over(first, each) * each.work.amount / work.amount;
    }
    for (bench_row& each : all) table.rows.push_back(std::move(each));
  }
  if (!baseline.version().empty()) table.notes.push_back("scikit-learn " + baseline.version());
  return {table};
}

constexpr std::array gpu_cases = {search_case{16'777'216, 3, 1, 20},    search_case{16'777'216, 3, 1, 1024},
                                  search_case{16'777'216, 3, 8, 20},    search_case{16'777'216, 3, 100, 20},
                                  search_case{16'777'216, 3, 1000, 20}, search_case{1'000'000, 32, 1000, 20},
                                  search_case{60'000, 784, 1000, 10},   search_case{4'194'304, 32, 1, 20},
                                  search_case{4'194'304, 32, 8, 20},    search_case{4'194'304, 32, 40, 20},
                                  search_case{60'000, 784, 1, 10}};

bench_row row_of(const search_case& one, const std::string& program, device_choice device,
                 std::vector<double> seconds) {
  return row_on(device,
                count_text(one.rows) + " x " + count_text(one.columns) + ", " +
                    (one.queries == 1 ? "1 query" : count_text(one.queries) + " queries") + ", k " +
                    count_text(one.k),
                program, {static_cast<double>(one.rows) * static_cast<double>(one.queries), "distances"},
                std::move(seconds));
}

nearest_rows task_for(const search_case& one, const matrix<float>& queries) {
  return {.queries = {queries.data(), one.queries * one.columns},
          .columns = static_cast<std::uint32_t>(one.columns),
          .k = one.k};
}

/// The neighbours of all queries with their squared distances, for comparison.
std::vector<neighbour> neighbours_of(const result_for<nearest_rows>& found) {
  std::vector<neighbour> all;
  found.for_each([&](std::uint64_t /*query*/, const neighbour& one) { all.push_back(one); });
  return all;
}

void add_resident(const search_case& one, const matrix<float>& training, const matrix<float>& queries,
                  unsigned rounds, bench_table& table) {
  if constexpr (gpu::has_code<nearest_rows>) {
    const nearest_rows task = task_for(one, queries);
    const auto pool = cpu::machine_pool(0, index_input(one.rows));
    auto resident =
        gpu::run_resident(task, first_gpu().index, training.view().bytes(), std::max(rounds, 3u), {}, *pool);
    const auto on_gpu = neighbours_of(make_result(task, std::move(resident.found), *pool));
    const auto on_cpu =
        neighbours_of(run(task, view_input(training.view().bytes()), *pool, {.device = device_choice::cpu}));
    require_same_answer(on_gpu == on_cpu, "the GPU", "the CPU");
    table.rows.push_back(
        row_of(one, "duomap, in the GPU's memory", device_choice::gpu, std::move(resident.seconds)));
  }
}

void add_from_host(const search_case& one, const matrix<float>& training, const matrix<float>& queries,
                   unsigned rounds, const run_control& control, bench_table& table) {
  // Runs share a folder of profiles, so that a run uses the split that earlier runs have found.
  const temporary_folder profiles;
  std::vector<neighbour> expected;
  const bench_row like = row_of(one, "duomap, from host memory", device_choice::automatic, {});
  const auto once = [&](device_choice mode) {
    knn_result found;
    const run_options how{.device = mode, .profiles = profiles.path()};
    const timed_run timed{.seconds = seconds_of([&] {
                            found = knn(training.view(), queries.view(), {.k = one.k, .run = how});
                          })};
    if (expected.empty()) expected = found.neighbours;
    require_same_answer(found.neighbours == expected, "duomap on " + device_text(mode), "the first run");
    return timed;
  };
  compare_device_modes(like, rounds, control, once, table);
}

/// Makes the table for the first GPU, with `rounds` runs for each median.
/// @throws device_unavailable when there is no GPU
std::vector<bench_table> bench_on_gpu(unsigned rounds, const run_control& control) {
  // Starts CUDA, or throws with the reason why it cannot start.
  const std::vector<float> little(96, 1);
  static_cast<void>(knn(little, little, 3, {.k = 1, .run = {.device = device_choice::gpu}}));
  bench_table table{.name = "knn-gpu",
                    .title = "k nearest neighbours, GPU: " + first_gpu().name,
                    .subject = "Rows of numbers drawn uniformly; from host memory in turn",
                    .baseline = "the better device alone, from host memory",
                    .plotted = bench_axis::rate};
  for (const search_case& one : gpu_cases) {
    stop_if_cancelled(&control);
    say("making " + count_text(one.rows) + " rows of " + count_text(one.columns, "number"));
    const matrix<float> training = synthetic_rows(one.rows, one.columns, 1);
    const matrix<float> queries = synthetic_rows(one.queries, one.columns, 2);
    add_resident(one, training, queries, rounds, table);
    if (one.queries >= 1000) add_from_host(one, training, queries, rounds, control, table);
  }
  return {table};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_text(command, "--python", options.python, "a Python that has scikit-learn");
  add_flag(command, "--gpu", options.on_gpu, "measure GPUs instead");
}

std::vector<bench_table> bench_knn(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  return options.on_gpu ? bench_on_gpu(context.rounds(options.rounds), context.control)
                        : bench_on_cpu(options, context);
}

}  // namespace

const benchmark knn_benchmark{
    .name = "knn",
    .summary = "nearest rows, against one loop and scikit-learn",
    .add_options = add_options,
    .measure = bench_knn,
};

}  // namespace duomap::apps
