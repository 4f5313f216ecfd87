// The application `kmeans`: clusters points.
#include "apps/cli/old_names.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/output/float_cell.hpp"
#include "core/output/result_file.hpp"
#include "core/output/table_writer.hpp"
#include "core/path_problem.hpp"
#include "core/verify/verify.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/column_headings.hpp"
#include "numeric/commands/own_kernels.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/kmeans/first_centres.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/kmeans_report.hpp"
#include "numeric/kmeans/moving_centres.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Divides points into k clusters, each point in that of the nearest centre
(Lloyd's algorithm).

  record    a row of d numbers (32-bit floats, with --float64 of 64 bits)
  map       row -> the nearest centre by Euclidean distance, the first of
            equally near ones, as far as 32 (64) bits tell: the first c with
            the smallest |c|^2 / 2 - c x
  reduce    the sum and the number of the points of each centre
  iterate   each centre moves to the mean of its points; a cluster without
            points takes the point that is farthest from its centre (stays
            where it is, if all points lie on their centres)

The centres begin as --init says: k-means++ (for each next
centre 2 + ln k rows are drawn with probabilities proportional to the squared
distance to the nearest centre so far, and the one that leaves the smallest
sum of these is taken; among 65,536 rows spread over the input, or 256 for
each centre if that is more),
random (different rows), or the rows of a file. --seed gives other ones.

The end is reached when no cluster's sum changes, when the squares of what
the centres moved by add up to at most --tol times the mean of the columns'
variances, or after --max-iter iterations. Sizes, assignments and inertia (the
squared distances of all points to their centres, added up) are those of the
centres written.

A round number near the mean of 256 rows is subtracted from each number,
which is then rounded to 32 (64) bits: data far from the origin keeps the
digits with which it is read (those of float32, with --float64 of float64),
and a number far below the column's range is rounded by 2^-24 (2^-53) of that
range at most. So the centre of the one point 1.1 may be 1.0999985
beside points near 100. The sums of these are exact on a grid, 2^-33 of the
range apart or less for up to 10^8 points, so that the answer has the same
bits for any number of threads, any device and any shares: --deterministic
changes nothing. Equally near are centres whose distances differ by no more
than rounding; numbers of few digits are compared exactly. Where some points
lie so far away that this grid does not tell the others apart, the points are
clustered once more by differences of coordinates, in 64 bits on the CPU, and
a note says so. Where 32 bits do not tell centres apart, a note says that.

The points stay in each GPU's memory from the first iteration to the last,
and an iteration is one launch. With --float64 all work is the CPU's.

The input may be CSV, TSV or other delimited text, .npy, LIBSVM text or IDX,
each also compressed; NaN and infinity are errors that name the row.

Output: cluster, size, and the centre's coordinates, rounded to 32 bits (with
--float64: the means of the cluster's points, rounded once to 64) and as
short as they can be written; the summary tells the inertia and the
iterations. --assignments writes each row's cluster to a file, as lines, or as
a NumPy array where its name ends in .npy.

Examples
  duomap run kmeans --k 20 points.npy
  duomap run kmeans --k 2 --leave-out last --assignments skin.txt skin.tsv
  duomap run kmeans --k 3 --init centres.csv --max-iter 1 points.csv
)";

struct command_options {
  std::uint32_t k = 8;
  std::string init = "k-means++";
  std::uint32_t max_iterations = 300;
  double tolerance = 1e-4;
  std::uint64_t seed = 0;
  bool float64 = false;
  std::string assignments;
  table_flags tables;
};

// One instance is enough, because the program runs one command.
command_options& options_of_this_run() {
  static command_options options;
  return options;
}

void add_options(CLI::App& command) {
  command_options& into = options_of_this_run();
  refuse_order(command, {"--top", "--sort"}, "the rows are in the order of the clusters");
  add_number(command, "--k", into.k, "clusters", {{.least = 1, .most = 1u << 30}});
  add_text(command, "--init", into.init,
           "where the centres begin: k-means++, random, or a\nfile with a row for each");
  add_number(command, "--max-iter", into.max_iterations, "iterations at most",
             {{.least = 1, .most = 1'000'000'000}});
  add_number(command, "--tol", into.tolerance,
             "the end: the squares of what the centres moved by,\nadded up, over the mean of the variances",
             {{.least = 0, .most = 1e300}});
  add_number(command, "--seed", into.seed, "seed of the random choices of --init");
  add_flag(command, "--float64", into.float64, "read and compute with 64 bits, on the CPU alone");
  add_text(command, "--assignments", into.assignments,
           "the file to write each row's cluster to (.npy: an array)");
  add_table_flags(command, into.tables);
  old_option_name(command, "--labels", "--assignments");
}

/// Whether the option asks for k-means++, in either of its two spellings.
bool is_spread(const std::string& init) { return init == "k-means++" || init == "kmeans++"; }

kmeans_options options_for(const command_options& mine, run_context& context, const matrix<double>& initial) {
  kmeans_options options;
  options.clusters = mine.k;
  options.start = is_spread(mine.init)    ? kmeans_start::spread
                  : mine.init == "random" ? kmeans_start::random
                                          : kmeans_start::given;
  options.initial = initial.view();
  options.max_iterations = mine.max_iterations;
  options.tolerance = mine.tolerance;
  options.seed = mine.seed;
  options.labels = !mine.assignments.empty();
  options.run = run_options_for(context.options, context.control, nullptr);
  return options;
}

/// Reads the file of centres without the options for the points, because its format may be another one.
matrix<double> initial_centres(const command_options& mine, const run_arguments& options,
                               const table_metadata& points) {
  if (is_spread(mine.init) || mine.init == "random") return {};
  const labelled_table<double> read = read_table<double>(mine.init, {.threads = options.threads.value_or(0)});
  require_same_columns(points, quoted(options.paths.front()), read, quoted(mine.init));
  matrix<double> initial(read.values.rows(), read.values.columns(), "the initial centres");
  std::ranges::copy(read.values.view().values(), initial.data());
  return initial;
}

/// Verifies the laws of the step on the first 4,096 points. The first of these points also serve as centres.
template <class T>
void verify_step(matrix_view<T> points, std::uint32_t clusters, worker_pool& pool, bool quiet) {
  points.rows = std::min<std::uint64_t>(points.rows, 4096);
  if (points.rows == 0 || points.columns == 0) return;
  const auto some = static_cast<std::uint32_t>(std::min<std::uint64_t>(clusters, points.rows));
  point_grid<T> grid = grid_of(points, pool);
  std::vector<double> first;
  for (std::uint64_t i = 0; i < some * points.columns; ++i)
    first.push_back(static_cast<double>(points.data[i] - grid.shift[i % points.columns]));
  moving_centres<T> centres(std::move(grid), some, std::move(first));
  report_laws(verify(centres.step(true), view_input(points.bytes(), "points")), quiet);
}

void write_assignments(const std::string& path, const std::vector<std::uint32_t>& clusters) {
  if (path.ends_with(".npy")) {
    write_npy(path, matrix_view<std::uint32_t>(clusters.data(), clusters.size(), 1), true);
    return;
  }
  result_file file(path);
  std::string text;
  for (const std::uint32_t cluster : clusters) {
    text += std::to_string(cluster);
    text += '\n';
    if (text.size() < 65'536) continue;
    file.sink().write(byte_view(text));
    text.clear();
  }
  file.sink().write(byte_view(text));
  file.commit();
}

template <class T>
run_report cluster(run_context& context) {
  const command_options& mine = options_of_this_run();
  const run_arguments& options = context.options;
  if (options.paths.size() != 1) throw usage_error("kmeans reads one file");
  refuse_engines(options, "kmeans");
  table_options reading = table_options_of(context, mine.tables);
  std::shared_ptr<void> started;  // GPUs start while the points are read and checked
  reading.on_shape = [&](std::uint64_t rows, std::uint64_t columns) {
    started = start_ahead_of_kmeans<T>(used_rows(context, rows, columns * sizeof(T)), columns,
                                       options_for(mine, context, {}),
                                       options.threads.value_or(cpu::usable_cores().cores));
  };
  const labelled_table<T> table = read_table<T>(options.paths.front(), reading);
  matrix_view<T> points = table.values.view();
  points.rows = used_rows(context, points.rows, points.columns * sizeof(T));

  const matrix<double> initial = initial_centres(mine, options, table);
  const auto pool = cpu::machine_pool(options.threads.value_or(0), view_input(points.bytes(), "points"));
  if (options.verify) verify_step(points, mine.k, *pool, options.quiet);
  const kmeans_result found = kmeans(points, options_for(mine, context, initial), *pool);

  std::string change = table.change();
  if (!mine.assignments.empty()) write_assignments(mine.assignments, found.labels);
  table_writer rows(context.sink, options.format,
                    column_headings({"cluster", "size"}, table.column_names, points.columns, "d"));
  std::vector<cell> cells;
  for (std::uint32_t c = 0; c < mine.k; ++c) {
    cells = {std::uint64_t{c}, found.sizes[c]};
    for (const double coordinate : found.centers.row(c))
      cells.push_back(number_cell(static_cast<T>(coordinate)));
    rows.row(cells);
  }
  run_report report = kmeans_report(found, points.bytes().size, pool->workers());
  if (initial.rows() > 0) ++report.sources;
  context.figures = {{"inertia", found.inertia}, {"iterations", std::uint64_t{found.iterations}}};
  add_note(report.notes, note_on(table.dropped));
  add_note(report.notes, note_on_loss(table));
  add_note(report.notes, std::move(change));
  if (options.deterministic)
    report.notes.push_back("--deterministic changes nothing: sums are exact on a grid, on every device");
  context.explanation = explanation_of_steps(found.report);
  return report;
}

run_report run_kmeans(run_context& context) {
  return options_of_this_run().float64 ? cluster<double>(context) : cluster<float>(context);
}

constexpr std::string_view input_options[] = {"--init"};
constexpr std::string_view result_options[] = {"--assignments"};

}  // namespace

constinit const app kmeans_app{
    .name = "kmeans",
    .summary = "k clusters of points, each around its mean",
    .description = description,
    .add_options = add_options,
    .files = {.inputs = input_options, .results = result_options},
    .run = run_kmeans,
};

}  // namespace duomap::apps
