// The application `svmtrain`: trains a support vector machine.
#include "apps/cli/old_names.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/result_files.hpp"
#include "apps/report/quantity.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/output/table_writer.hpp"
#include "core/path_problem.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/own_kernels.hpp"
#include "numeric/commands/svm_train_arguments.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/svm/svm.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Trains a support vector machine for classification (C-SVC).

  record   a row x with its label; f(x) = sum alpha y K(row, x) - y
  map      adds to f what the multipliers alpha that have changed make of it
  reduce   the largest -f of rows whose alpha y may grow, and the smallest of
           those whose alpha y may shrink; of equal ones the first row
  finish   steps of two multipliers, until these two differ by less than -e

minimises  1/2 sum alpha_i alpha_j y_i y_j K(x_i, x_j) - sum alpha_i
with       0 <= alpha_i <= C and sum alpha_i y_i = 0

  kernels  linear      x.y
           polynomial  (gamma x.y + coef0)^degree
           rbf         exp(-gamma |x - y|^2)
           sigmoid     tanh(gamma x.y + coef0)

TRAIN is LIBSVM text (also compressed): LABEL INDEX:VALUE ..., one row a line,
indices ascending, from 1 or from 0 on; labels are any numbers. MODEL is a
file as svm-train writes it, which svm-predict and svmclassify read; the
default is TRAIN.model in the current folder. With more than two classes each
is trained against each other.

Files and options are svm-train's on purpose, so that its command lines work:
-t, -d, -g, -r, -c, -e, -m, -w1 5 (or -w 1=5), -q. -s 0, -b 0 and -h
(shrinking) change nothing. Not there are other -s and -n, -p (it trains C-SVC
only), -b 1 (no probabilities) and -v (no cross validation).

  blocked       the 1024 rows (GPU: 192) that violate the optimum most at
                once, whose kernel values come from matrix products (the
                default)
  second-order  two rows at a time, as svm-train does
  first-order   two rows at a time, those that violate most (Catanzaro,
                Sundaram & Keutzer 2008)

All end at the same optimum within -e. They compute kernel values in float32.
In the end the CPU computes all f anew in float64, from the numbers as they
stand in TRAIN, and takes more steps in float64 where -e is not met by these:
objective, rho and gap are true whatever the scale of the columns. Columns far
from 0 beside their spread, such as times in seconds, are moved to 0 for that
(kernels linear and rbf); MODEL has them as they are.

--device auto begins on the CPU. Where that works for 0.25 s, or is expected
to work for 0.5 s, a GPU is started beside it and goes on from what the CPU has
reached; so it is with cpu+gpu at once. The GPU keeps all rows in its memory,
and of the kernel matrix as many rows as it has room for (blocked; the other
methods need all). Rows that it has no room for come to it panel by panel
whenever kernel values of them are lacking; with auto only where that takes
less time than the CPU needs for the values.

Output: for each pair of classes class, against, objective, rho, iterations,
support_vectors, bounded (whose alpha is C) and gap (below -e, or the
iterations were not enough: a warning says so, and --json counts such pairs as
"unconverged").

Examples
  duomap run svmtrain -c 10 -g 0.004 usps usps.model
  duomap run svmtrain -t linear -w1 5 -w-1 1 train.svm.gz
)";

struct command_options {
  double c = 1;
  double gamma = 0;
  std::string kernel = "rbf";
  double tolerance = 1e-3;
  double coef0 = 0;
  std::uint32_t degree = 3;
  std::vector<std::string> weights;
  std::uint64_t cache_megabytes = 0;
  std::string method = "blocked";
  std::uint64_t max_iterations = 0;
  std::string rows = "error";
};

// One instance is enough, because the program runs one command.
command_options& options_of_this_run() {
  static command_options options;
  return options;
}

constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::min();

void add_options(CLI::App& command) {
  command_options& into = options_of_this_run();
  refuse_order(command, {"--top", "--sort"}, "the pairs of classes have one order");
  add_number(command, "-c,--cost", into.c, "C: the largest multiplier", {{smallest, largest}});
  add_choice(command, "-t,--kernel", into.kernel, "the kernel; 0 to 3 are linear, polynomial, rbf, sigmoid",
             {"linear", "polynomial", "rbf", "sigmoid", "0", "1", "2", "3"});
  add_number(command, "-g,--gamma", into.gamma, "gamma of the kernel; 0: 1 / the largest index",
             {{0.0, largest}});
  add_number(command, "-r,--coef0", into.coef0, "coef0 of the kernel", {{-largest, largest}});
  add_number(command, "-d,--degree", into.degree, "degree of the polynomial kernel", {{0, 1000}});
  add_number(command, "-e,--tol", into.tolerance, "how much the optimum may be violated",
             {{smallest, largest}});
  add_repeated_text(command, "-w,--weight", into.weights,
                    "LABEL=WEIGHT: C of the label's rows is\nWEIGHT times C");
  add_number(command, "-m,--cache", into.cache_megabytes,
             "memory for kernel rows, in MiB; 0: a quarter of what is free", {{0, std::uint64_t{1} << 30}});
  add_choice(command, "--method", into.method, "how many rows are worked on at once",
             {"blocked", "second-order", "first-order"});
  add_number(command, "--max-iter", into.max_iterations,
             "steps of two multipliers at most;\n0: 10,000,000 or 100 for each row");
  add_choice(command, "--bad-rows", into.rows,
             "what to do with rows that cannot be read: an error\n"
             "that names the line, or leave them out and count\nthem",
             {"error", "drop"});
  old_option_name(command, "--epsilon", "--tol");
  old_option_name(command, "--iterations", "--max-iter");
}

double number_in(std::string_view text, const std::string& whole) {
  const decimal<double> number = whole_decimal<double>(byte_view(text));
  if (number.status != decimal_status::number)
    throw usage_error("--weight " + whole + " is not LABEL=WEIGHT, two numbers");
  return number.value;
}

std::map<double, double> weights_of(const std::vector<std::string>& texts) {
  std::map<double, double> weights;
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view label = std::string_view(text).substr(0, equals);
    const std::string_view weight = std::string_view(text).substr(std::min(equals + 1, text.size()));
    weights[number_in(label, text)] = number_in(weight, text);
  }
  return weights;
}

kernel_kind kernel_of(const std::string& word) {
  constexpr std::array<std::string_view, 8> words{"linear", "polynomial", "rbf", "sigmoid",
                                                  "0",      "1",          "2",   "3"};
  return static_cast<kernel_kind>((std::ranges::find(words, word) - words.begin()) % 4);
}

void write_pairs(const svm_training& trained, table_format format, byte_sink& sink) {
  table_writer table(
      sink, format,
      {"class", "against", "objective", "rho", "iterations", "support_vectors", "bounded", "gap"});
  for (const svm_pair& pair : trained.pairs)
    table.row({pair.first, pair.second, pair.objective, pair.rho, pair.iterations, pair.support_vectors,
               pair.bounded, pair.gap});
}

/// The file to which svm-train writes the model by default.
std::string usual_model(const std::string& training) {
  if (training == "-")
    throw usage_error("give a file for MODEL: standard input has no name to call it after");
  return training.substr(training.rfind('/') + 1) + ".model";
}

run_report run_svmtrain(run_context& context) {
  const command_options& mine = options_of_this_run();
  const run_arguments& options = context.options;
  if (options.paths.size() > 2)
    throw usage_error("give one or two files, TRAIN and MODEL; there are " +
                      std::to_string(options.paths.size()));
  if (options.deterministic)
    throw usage_error(
        "CPU and GPU reach the optimum, within --tol, by other steps; leave out --deterministic");
  if (options.verify) throw usage_error("training has no reduction of its own to check; leave out --verify");
  refuse_engines(options, "svmtrain");
  refuse_share(options, "svmtrain");
  const std::string path = options.paths.size() == 2 ? options.paths[1] : usual_model(options.paths[0]);
  if (path == options.output)
    throw usage_error("MODEL and --output are both " + quoted(path) + "; give two files");
  require_other_file("MODEL", path, {options.paths[0]});

  svm_options how{.kernel = kernel_of(mine.kernel),
                  .coef0 = mine.coef0,
                  .degree = mine.degree,
                  .c = mine.c,
                  .weights = weights_of(mine.weights),
                  .tolerance = mine.tolerance,
                  .method = mine.method == "blocked"       ? svm_method::blocked
                            : mine.method == "first-order" ? svm_method::first_order
                                                           : svm_method::second_order,
                  .max_iterations = mine.max_iterations,
                  .cache_bytes = mine.cache_megabytes << 20};
  if (mine.gamma > 0) how.gamma = mine.gamma;
  result_file model(path, &context.control);
  const table_options reading =
      table_options_of(context, {.rows = mine.rows, .advice = table_advice::bad_rows});
  const sparse_table<double> table = read_sparse_table<double>(options.paths[0], reading);
  run_report report;
  add_note(report.notes, note_on(table.dropped));
  add_note(report.notes, table.growth);
  // By default, svm-train takes 1 / largest index as gamma. If the first column has the index 0, the largest
  // index is the number of columns minus 1.
  if (mine.gamma == 0 && table.first_index == 0 && table.values.columns > 1)
    how.gamma = 1 / static_cast<double>(table.values.columns - 1);
  how.run = run_options_for(options, context.control, &report);
  for (const std::string& text : mine.weights) {
    const double label = weights_of({text}).begin()->first;
    if (std::ranges::find(table.labels, label) == table.labels.end())
      report.notes.push_back("--weight " + text + " changes nothing: no row has that label");
  }
  svm_training trained = svmtrain(rows_of(table.values), table.labels, how);
  trained.model.first_index = table.first_index;
  if (trained.model.classes.size() == 1)
    report.notes.push_back("all rows have one label: the model says nothing else");
  report.sources = 1;
  context.explanation = explanation_of_steps(trained.report);
  model.sink().write(byte_view(to_libsvm(trained.model)));
  model.commit();
  context.figures = {{"support_vectors", trained.model.rows.rows()},
                     {"rows", table.values.rows()},
                     {"unconverged", trained.unconverged()}};
  write_pairs(trained, options.format, context.sink);
  report.notes.push_back(count_text(trained.model.rows.rows(), "support vector") + " of " +
                         count_text(table.values.rows(), "row"));
  return report;
}

}  // namespace

constinit const app svmtrain_app{
    .name = "svmtrain",
    .summary = "train a support vector machine, as LIBSVM's svm-train",
    .description = description,
    .translate = svm_train_arguments,
    .add_options = add_options,
    .run = run_svmtrain,
};

}  // namespace duomap::apps
