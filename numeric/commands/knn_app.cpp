// The application `knn`: finds the nearest neighbours of points.
#include "apps/cli/old_names.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/report/quantity.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/output/table_writer.hpp"
#include "core/path_problem.hpp"
#include "core/verify/verify.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/knn/nearest_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Finds the rows of a training set that are nearest to each row of another
file, and the class that most of them have.

  record   a training row of d numbers (32-bit floats, with --float64 of 64
           bits)
  map      row -> (query, squared Euclidean distance) for each query
  reduce   the k best of each query; in any order
  finish   the square root; the majority of the neighbours' classes

Distances are exact: what single precision cannot tell apart is computed in
double precision, in one fixed order of additions, so that the answer has
the same bits on every device. With --float64 all work is the CPU's, and
distances are rounded as double precision does it; where their squares would
be too large or too small for it, all numbers are scaled by a power of two
first. Of equally near rows the one that comes first in the training set
ranks first. Of classes with as many neighbours the one with the nearest of
them wins (at equal distance the one whose row comes first).

Both files may be CSV, TSV or other delimited text, .npy, LIBSVM text or IDX,
each also compressed. Labels are a column of the text (--label), those of
LIBSVM's lines, or a file of their own (--labels, --test-labels). The rows of
--test are the queries. With --unlabelled they have no label column. A missing
value, NaN, infinity or a row of another length is an error that names the
line, or the row is left out and counted (--bad-rows drop). Where both files
name their columns, these must be the same, in the same order.

Output: query, predicted; where the queries have labels also label, and the
summary tells the accuracy. With --neighbours, or without labels, k rows of
each query: query, rank (from 1), row, distance, and the class if there is
one. Queries and rows are counted from 0.

Queries are done thousands at a time, and the training set is read once for
each batch. GPUs keep up to 1024 neighbours of a query; more are found on the
CPU.

Examples
  duomap run knn --k 5 --train iris.csv --label last --test new.csv
  duomap run knn --k 10 --train train-images.gz --labels train-labels.gz \
    --test t10k-images.gz --test-labels t10k-labels.gz
  duomap run knn --k 20 --train points.npy --test places.npy --format csv
)";

struct command_options {
  std::uint32_t k = 5;
  std::string test;
  std::string test_labels;
  bool unlabelled = false;
  bool neighbours = false;
  bool float64 = false;
  table_flags tables;
};

// One instance is enough, because the program runs one command.
command_options& options_of_this_run() {
  static command_options options;
  return options;
}

void add_options(CLI::App& command) {
  command_options& into = options_of_this_run();
  refuse_order(command, {"--top", "--sort"}, "the rows are in the order of the queries");
  add_number(command, "--k", into.k, "neighbours of each query", {{.least = 1, .most = 1u << 31}});
  add_text(command, "--test", into.test, "the file of the queries");
  add_text(command, "--test-labels", into.test_labels,
           "the file of the queries' labels, as --labels is\nthat of the training rows'");
  add_flag(command, "--unlabelled", into.unlabelled, "the queries have no label column");
  add_flag(command, "--neighbours", into.neighbours, "write the neighbours instead of the classes");
  add_flag(command, "--float64", into.float64, "read and compute with 64 bits, on the CPU alone");
  add_table_flags(command, into.tables, {.label = true});
  old_option_name(command, "--query", "--test");
  old_option_name(command, "--query-labels", "--test-labels");
}

/// The two input tables.
template <class T>
struct tables {
  labelled_table<T> training;
  labelled_table<T> queries;
};

void note_reading(const table_metadata& table, const std::string& path, run_report& report) {
  for (const std::string& note : {note_on(table.dropped), note_on_loss(table)}) {
    if (!note.empty()) report.notes.push_back("of " + quoted(path) + ", " + note);
  }
}

template <class T>
tables<T> read_tables(const command_options& mine, const run_context& context, run_report& report) {
  const std::vector<std::string>& training = context.options.paths;
  if (training.size() != 1) throw usage_error("knn needs --train FILE, one file of training rows");
  if (mine.test.empty()) throw usage_error("knn needs --test FILE, the rows to find neighbours of");
  table_options reading = table_options_of(context, mine.tables);
  tables<T> all;
  all.training = read_table<T>(training.front(), reading);
  note_reading(all.training, training.front(), report);
  // Queries must have the training set's columns, and the same number for each text.
  reading.known_symbols = all.training.symbols;
  reading.features = all.training.values.columns();
  reading.at_most_features = true;
  reading.first_index = all.training.first_index;
  reading.labels_path = mine.test_labels;
  if (mine.unlabelled) reading.label.clear();
  all.queries = read_table<T>(mine.test, reading);
  note_reading(all.queries, mine.test, report);
  if (!reading.label.empty() && mine.test_labels.empty() &&
      all.queries.values.columns() + 1 == all.training.values.columns())
    throw usage_error(quoted(mine.test) + " has one column less than " + quoted(training.front()) +
                      " besides the labels; if it has no label column, give --unlabelled");
  require_same_columns(all.training, quoted(training.front()), all.queries, quoted(mine.test));
  return all;
}

void write_neighbours(const knn_result& found, const table_metadata& training, table_writer& table) {
  const bool labelled = !training.classes.empty();
  std::array<cell, 5> cells;
  for (std::uint64_t query = 0; query < found.queries(); ++query) {
    std::uint64_t rank = 0;
    for (const neighbour& one : found.of(query)) {
      cells = {query, ++rank, one.index, one.score, byte_view()};
      if (labelled) cells[4] = byte_view(training.classes[training.label_of_row[one.index]]);
      table.row(std::span<const cell>(cells.data(), labelled ? 5 : 4));
    }
  }
}

template <class T>
void write_classes(const std::vector<std::uint32_t>& predicted, const tables<T>& all, table_writer& table) {
  const bool judged = !all.queries.label_of_row.empty();
  for (std::uint64_t query = 0; query < predicted.size(); ++query) {
    const cell answer = byte_view(all.training.classes[predicted[query]]);
    if (judged) {
      table.row({query, answer, byte_view(all.queries.classes[all.queries.label_of_row[query]])});
    } else {
      table.row({query, answer});
    }
  }
}

/// Reports the number of queries whose predicted class is their own label.
template <class T>
void note_accuracy(const std::vector<std::uint32_t>& predicted, const tables<T>& all, run_figures& figures,
                   run_report& report) {
  // Each of the two files numbers its classes itself, so the numbers of the queries' classes are translated.
  std::vector<std::uint32_t> meaning;
  for (const std::string& name : all.queries.classes) {
    const auto known = std::ranges::find(all.training.classes, name);
    meaning.push_back(static_cast<std::uint32_t>(known - all.training.classes.begin()));
  }
  std::uint64_t correct = 0, unknown = 0;
  for (std::uint64_t query = 0; query < predicted.size(); ++query) {
    const std::uint32_t label = meaning[all.queries.label_of_row[query]];
    correct += predicted[query] == label ? 1u : 0u;
    unknown += label == all.training.classes.size() ? 1u : 0u;
  }
  std::array<char, 32> percent;
  std::snprintf(percent.data(), percent.size(), "%.4g",
                100 * static_cast<double>(correct) / static_cast<double>(predicted.size()));
  report.notes.push_back("accuracy: " + std::string(percent.data()) + " %, " + count_text(correct) + " of " +
                         count_text(predicted.size(), "row"));
  figures = {{"correct", correct}, {"rows", std::uint64_t{predicted.size()}}};
  if (unknown > 0)
    report.notes.push_back(count_text(unknown) +
                           (unknown == 1 ? " query has a label" : " queries have labels") +
                           " that the training set does not have: never right");
}

template <class T>
void verify_on(const tables<T>& all, std::uint32_t k, bool quiet) {
  // A few queries are enough to check the laws.
  const std::uint64_t columns = all.training.values.columns();
  const std::uint64_t count = std::min<std::uint64_t>(16, all.queries.values.rows());
  if (count == 0 || columns == 0) return;
  const nearest_rows_of<T> task{.queries = {all.queries.values.view().data, count * columns},
                                .columns = static_cast<std::uint32_t>(columns),
                                .k = k};
  report_laws(verify(task, view_input(all.training.values.view().bytes())), quiet);
}

template <class T>
run_report find_neighbours(run_context& context) {
  const command_options& mine = options_of_this_run();
  const run_arguments& options = context.options;
  run_report reading;
  const tables<T> all = read_tables<T>(mine, context, reading);
  matrix_view<T> training = all.training.values.view();
  training.rows = used_rows(context, training.rows, training.columns * sizeof(T));
  if (options.verify) verify_on(all, mine.k, options.quiet);

  run_report report;
  const knn_result found = knn(training, all.queries.values.view(),
                               {.k = mine.k, .run = run_options_for(options, context.control, &report)});
  report.task = "knn";
  report.sources = 2u + !mine.tables.labels_path.empty() + !mine.test_labels.empty();
  add_note(report.notes, all.training.change());
  add_note(report.notes, all.queries.change());
  report.notes.insert(report.notes.begin(), reading.notes.begin(), reading.notes.end());
  if (options.deterministic)
    report.notes.push_back("--deterministic changes nothing: distances have the same bits everywhere");
  const bool labelled = !all.training.classes.empty();
  if (mine.neighbours || !labelled) {
    std::vector<std::string> columns{"query", "rank", "row", "distance"};
    if (labelled) columns.emplace_back("class");
    table_writer table(context.sink, options.format, columns);
    write_neighbours(found, all.training, table);
  }
  if (!labelled) return report;
  const bool judged = !all.queries.label_of_row.empty();
  const std::vector<std::uint32_t> predicted = vote(found, all.training.label_of_row);
  if (!mine.neighbours) {
    std::vector<std::string> columns{"query", "predicted"};
    if (judged) columns.emplace_back("label");
    table_writer table(context.sink, options.format, columns);
    write_classes(predicted, all, table);
  }
  if (judged && !predicted.empty()) note_accuracy(predicted, all, context.figures, report);
  return report;
}

run_report run_knn(run_context& context) {
  return options_of_this_run().float64 ? find_neighbours<double>(context) : find_neighbours<float>(context);
}

constexpr std::string_view input_options[] = {"--test", "--test-labels", "--labels"};

}  // namespace

constinit const app knn_app{
    .name = "knn",
    .summary = "the k nearest training rows of each query, and the class they vote for",
    .description = description,
    .add_options = add_options,
    .input_option = "--train",
    .files = {.inputs = input_options},
    .run = run_knn,
};

}  // namespace duomap::apps
