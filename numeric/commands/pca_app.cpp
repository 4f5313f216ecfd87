// The application `pca`: finds the principal components of rows.
#include "apps/cli/options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/output/table_writer.hpp"
#include "core/path_problem.hpp"
#include "core/verify/verify.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/column_headings.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/pca/moments.hpp"
#include "numeric/pca/pca.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Principal component analysis: the axes along which rows of numbers vary
most, and how much they do.

  record   a row of numbers, from one table: .npy, IDX, LIBSVM, CSV, TSV,
           fields between spaces; also compressed. Computed in float32,
           with --float64 in float64
  map      (i, j) -> (x_i - s_i) (x_j - s_j),  i -> x_i - s_i
           with s the mean of 256 rows, evenly spread over the table; where
           that turns out not to be near the mean, a second pass takes the
           mean that the first has found. A chunk of rows is mapped at once
  key      i, and (i, j) for i <= j
  reduce   sum: of up to 256 rows in the type of the numbers, products by
           fused multiply-adds, of these sums in float64; with
           --deterministic these are reproducible sums, the same bits for
           any threads, devices and shares
  finish   covariance, divided by rows - 1; its eigenvalues and eigenvectors
           by LAPACK's dsyevd in float64; with --correlation of the
           correlation matrix, in which a constant column counts as 0
  output   component (from 1), variance (the eigenvalue), share (of the
           variance of all columns), cumulative (of this and all before),
           and the axis, a number for each column: of length 1, its number
           of the largest magnitude positive. The figures of --json have
           noise_variance: the mean variance along the axes that were left
           out, of min(rows, columns); 0 if none was

Of p_ii, the sum of squares of a column about its mean, a sum of products
is wrong by at most about 520 u sqrt(p_ii p_jj), u = 2^-24 for float32 and
2^-53 for float64, usually by some u. An offset of the columns
costs only the digits that reading it as float32 costs; --float64 keeps them.

A table of one row has no variance and is an error, NaN and infinity are
one that names the row. With fewer rows than columns, as many eigenvalues
are 0 as there are rows missing, and one more.

--project FILE writes each row's coordinates along the axes, --axes,
--mean and --covariance the named matrices; .npy, .csv or .tsv by name.

Examples
  duomap run pca --components 10 train-images-idx3-ubyte.gz
  duomap run pca --components 2 --project points.npy --label class data.csv
  duomap run pca --correlation --float64 --format csv measurements.tsv
)";

struct pca_flags {
  std::uint32_t components = 0;
  bool correlation = false;
  bool float64 = false;
  std::string project, axes, mean, covariance;
  table_flags table;
};

// One instance is enough, because the program runs one command.
pca_flags& flags_of_this_run() {
  static pca_flags flags;
  return flags;
}

void add_options(CLI::App& command) {
  pca_flags& flags = flags_of_this_run();
  refuse_order(command, {"--top", "--sort"},
               "the axes are in the order of their variance; --components N keeps the first N");
  add_number(command, "--components", flags.components, "axes to keep, of the largest variance; 0: all");
  add_flag(command, "--correlation", flags.correlation, "divide each column by its standard deviation first");
  add_flag(command, "--float64", flags.float64, "compute in float64 instead of float32");
  add_text(command, "--project", flags.project, "write the rows' coordinates along the axes to\nthis file");
  add_text(command, "--axes", flags.axes, "write the axes to this file, an axis a row");
  add_text(command, "--mean", flags.mean, "write the mean to this file, one row");
  add_text(command, "--covariance", flags.covariance, "write the covariance matrix to this file");
  add_table_flags(command, flags.table, {.label = true});
}

void write_axes(const pca_result& found, const std::vector<std::string>& names, run_context& context) {
  table_writer table(
      context.sink, context.options.format,
      column_headings({"component", "variance", "share", "cumulative"}, names, found.mean.size(), "c"));
  double cumulative = 0;
  std::vector<cell> cells;
  for (std::uint64_t k = 0; k < found.variance.size(); ++k) {
    cumulative += found.share[k];
    cells = {k + 1, found.variance[k], found.share[k], cumulative};
    for (const double component : found.axes.row(k)) cells.push_back(component);
    table.row(cells);
  }
}

template <class T>
run_report run_for(run_context& context) {
  const pca_flags& flags = flags_of_this_run();
  const run_arguments& options = context.options;
  const std::string& path = options.paths.front();
  const auto table = read_table<T>(path, table_options_of(context, flags.table));
  matrix_view<T> rows = table.values.view();
  rows.rows = used_rows(context, rows.rows, rows.columns * sizeof(T));
  if (options.verify && rows.columns > 0) {
    const std::vector<T> origin(rows.columns);
    report_laws(verify(moments<T, false>{.origin = {origin.data(), origin.size()}}, view_input(rows.bytes())),
                options.quiet);
  }

  run_report report;
  const pca_options task{.components = flags.components,
                         .correlation = flags.correlation,
                         .deterministic = options.deterministic,
                         .name = quoted(path),
                         .run = run_options_for(options, context.control, &report)};
  const pca_result found = pca(rows, task);
  report.task = "pca";
  report.results = found.variance.size();
  context.figures = {{"noise_variance", found.noise_variance}};
  add_note(report.notes, note_on(table.dropped));
  add_note(report.notes, note_on_loss(table));
  add_note(report.notes, table.change());
  if (!flags.project.empty()) {
    const auto pool = cpu::machine_pool(options.threads.value_or(0), view_input(rows.bytes()));
    write_matrix(flags.project, project(rows, found, *pool, &context.control).view());
  }
  const auto names = column_headings({}, table.column_names, rows.columns, "c");
  if (!flags.axes.empty()) write_matrix(flags.axes, found.axes.view(), names);
  if (!flags.mean.empty()) write_matrix(flags.mean, matrix_view<double>(found.mean, rows.columns), names);
  if (!flags.covariance.empty()) write_matrix(flags.covariance, found.covariance.view(), names);
  write_axes(found, table.column_names, context);
  return report;
}

run_report run_pca(run_context& context) {
  const run_arguments& options = context.options;
  if (options.paths.size() != 1)
    throw usage_error("pca reads one table, but " + std::to_string(options.paths.size()) +
                      " paths are given");
  const pca_flags& flags = flags_of_this_run();
  // The name is checked before the work, which may take long.
  require_matrix_ending("--project", flags.project);
  require_matrix_ending("--axes", flags.axes);
  require_matrix_ending("--mean", flags.mean);
  require_matrix_ending("--covariance", flags.covariance);
  return flags.float64 ? run_for<double>(context) : run_for<float>(context);
}

constexpr std::string_view input_options[] = {"--labels"};
constexpr std::string_view result_options[] = {"--project", "--axes", "--mean", "--covariance"};

}  // namespace

constinit const app pca_app{
    .name = "pca",
    .summary = "principal components of a table of numbers",
    .description = description,
    .add_options = add_options,
    .files = {.inputs = input_options, .results = result_options},
    .run = run_pca,
};

}  // namespace duomap::apps
