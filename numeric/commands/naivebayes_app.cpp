// The application `naivebayes`: trains a naive Bayes classifier and classifies rows.
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/output/table_writer.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/common/whole_input.hpp"
#include "numeric/naivebayes/naivebayes.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Learns from a table of categories, and classifies the rows of another.

  record   a line of delimited text: a row, with a field for each column
  map      (class, column, category) -> 1 for each column but the label's
  reduce   sum of 64-bit counts; associative, commutative, identity 0;
           the same on every device
  finish   log P(class) = log(rows of the class / rows)
           log P(category | class) = log((n + alpha) / (N + alpha K)): n of
           the class's N rows have the category, and its column has K
           (Laplace's smoothing); natural logarithms
  answer   the class with the largest sum of log P(class) and its row's
           log P(category | class); of equal ones the first in byte order

A row is a line with as many fields as the first; tab, comma or semicolon is
between them, the first of these that the first line has (--delimiter).
Blanks around a field are no part of it. A field in quotes may hold the
delimiter, and "" for a quote; no field holds an end of line. Lines end with
LF or CRLF; blank ones are skipped. A line that is no row is an error that
names its number, or left out and counted (--bad-rows drop).

Every text is a category, numbers too: a column of many different numbers
says little and is better left out (--leave-out 3,fnlwgt); a note tells of
such columns. Columns are called by their number from 1 on, by their name
with --header, or last. An empty field or ? is a category like any other,
or with --missing ignore is not counted and says nothing. A row whose label
is empty or ? teaches nothing, and is classified without being judged. A
category that the training set did not have says nothing of any class; a
label that it did not have is never right. Both are counted.

Output, without --test: attribute, category, class, rows, log_probability;
the first rows have the label's column for attribute and the classes' log
priors. With --test: label, predicted, rows, and the accuracy in the
summary; the label is empty where it is missing, ? where it is none of the
training set's. The test table has the columns of the training set, or those
without the label's. --predictions: row (from 1), predicted (empty for a line
that is no row), log_probability (of the prediction, given the row).

GPUs and CPU train; the CPU classifies. Counts are whole numbers, so that
the model is the same whatever ran where.

Examples
  duomap run naivebayes --train car.data --test more.data
  duomap run naivebayes --train adult.data --leave-out 1,3,5,11,12,13 \
    --model-out adult.json
  duomap run naivebayes --model adult.json --test more.data \
    --predictions adult.csv --format csv
)";

struct command_options {
  naivebayes_options training;
  std::string delimiter;
  std::string missing = "category";
  std::string bad_rows = "error";
  std::string test;
  std::string model;
  std::string model_out;
  std::string predictions;
};

// One instance is enough, because the program runs one command.
command_options& options_of_this_run() {
  static command_options options;
  return options;
}

void add_options(CLI::App& command) {
  command_options& into = options_of_this_run();
  refuse_order(command, {"--top", "--sort"}, "the rows are in the order of the columns, or of the classes");
  add_text(command, "--test", into.test, "a table to classify");
  add_text(command, "--label", into.training.label,
           "the column with the class: its name, its number\nfrom 1 on, or last");
  add_texts(command, "--leave-out", into.training.leave_out, "columns that are no attributes, as 1,3,fnlwgt");
  add_flag(command, "--header", into.training.header, "the first line of each file names the columns");
  add_choice(command, "--delimiter", into.delimiter, "delimiter of fields (default: recognised)",
             {"comma", "tab", "semicolon", "space", "bar"});
  add_number(command, "--alpha", into.training.alpha, "smoothing: rows added to each category of a class",
             number_range<double>{1e-300, 1e15});
  add_choice(command, "--missing", into.missing, "what an empty field or ? is", {"category", "ignore"});
  add_choice(command, "--bad-rows", into.bad_rows, "lines that are no rows are an error, or left out",
             {"error", "drop"});
  add_text(command, "--model-out", into.model_out, "save what was learned in FILE, as JSON");
  add_text(command, "--model", into.model, "classify with what was saved, instead of --train");
  add_text(command, "--predictions", into.predictions, "save the class of each row of --test in FILE");
}

[[nodiscard]] std::optional<char> delimiter_of(const std::string& word) {
  if (word.empty()) return std::nullopt;
  return word == "comma" ? ',' : word == "tab" ? '\t' : word == "semicolon" ? ';' : word == "bar" ? '|' : ' ';
}

/// Returns the first given option that only training uses; empty if there is none.
std::string option_of_training(const command_options& mine) {
  const command_options usual;
  if (mine.training.label != usual.training.label) return "--label";
  if (!mine.training.leave_out.empty()) return "--leave-out";
  if (mine.training.header) return "--header";
  if (!mine.delimiter.empty()) return "--delimiter";
  if (mine.training.alpha != usual.training.alpha) return "--alpha";
  return mine.missing != usual.missing ? "--missing" : "";
}

void require_consistent(const command_options& mine, const run_arguments& options) {
  if (options.paths.empty() == mine.model.empty()) {
    throw usage_error(mine.model.empty()
                          ? "give --train PATH to learn from, or --model FILE"
                          : "--train and --model are both given; a model is not trained again");
  }
  if (!mine.model.empty() && mine.test.empty())
    throw usage_error("--model needs --test: a table to classify");
  if (!mine.model.empty() && !mine.model_out.empty())
    throw usage_error("--model-out saves what was learned, and with --model nothing is");
  if (const std::string name = option_of_training(mine); !mine.model.empty() && !name.empty())
    throw usage_error(name + " says how to learn, and --model was saved with that; leave it out");
  if (!mine.predictions.empty() && mine.test.empty())
    throw usage_error("--predictions needs --test: a table to classify");
  for (const std::string* file : {&mine.model_out, &mine.predictions}) {
    if (*file == "-") throw usage_error("--model-out and --predictions need files of their own");
  }
}

naivebayes_model load(const std::string& path) {
  const whole_input file(path);
  naivebayes_model model = naivebayes_model_from_json(std::string(file.bytes().text()), path);
  static_cast<void>(file.change());
  return model;
}

void note_numbers(const naivebayes_model& model, run_report& report) {
  constexpr std::size_t many = 100;
  std::string columns;
  for (const naivebayes_attribute& one : model.attributes) {
    std::size_t numbers = 0;
    for (const std::string& text : one.categories) {
      char* end = nullptr;
      static_cast<void>(std::strtod(text.c_str(), &end));
      if (!text.empty() && *end == '\0') ++numbers;
    }
    if (one.categories.size() >= many && numbers * 10 >= one.categories.size() * 9)
      columns += (columns.empty() ? "" : ", ") + one.name + " (" + count_text(one.categories.size()) + ")";
  }
  if (!columns.empty()) {
    report.notes.push_back("each of many numbers is a category of its own in column " + columns +
                           "; --leave-out leaves columns out");
  }
}

void write_model(const naivebayes_model& model, table_writer& table) {
  const std::vector<double> log_priors = model.log_priors();
  for (std::size_t i = 0; i < model.classes.size(); ++i) {
    table.row({byte_view(model.label_name), byte_view(""), byte_view(model.classes[i]),
               model.rows_of_class[i], log_priors[i]});
  }
  for (const naivebayes_attribute& attribute : model.attributes) {
    for (std::size_t category = 0; category < attribute.categories.size(); ++category) {
      for (std::size_t i = 0; i < model.classes.size(); ++i) {
        table.row({byte_view(attribute.name), byte_view(attribute.categories[category]),
                   byte_view(model.classes[i]), attribute.rows[category * model.classes.size() + i],
                   model.log_likelihood(attribute, category, i)});
      }
    }
  }
}

byte_view name_of(const naivebayes_model& model, std::uint32_t number) {
  if (number == classified_row::no_class) return "";
  if (number == classified_row::unknown_class) return "?";
  return model.classes[number];
}

void write_predictions(const naivebayes_model& model, const naivebayes_answer& answer, table_format format,
                       byte_sink& sink) {
  table_writer table(sink, format, {"row", "predicted", "log_probability"});
  for (std::uint64_t i = 0; i < answer.rows.size(); ++i)
    table.row({i + 1, name_of(model, answer.rows[i].predicted), answer.rows[i].log_probability});
}

/// Writes the number of rows for each label and prediction; labels of the training set come first.
std::uint64_t write_confusion(const naivebayes_model& model, const naivebayes_answer& answer,
                              table_writer& table) {
  const std::size_t classes = model.classes.size();
  std::vector<std::uint64_t> rows((classes + 2) * classes);
  const auto place = [&](std::uint32_t label) -> std::size_t {
    return label == classified_row::unknown_class ? classes
           : label == classified_row::no_class    ? classes + 1
                                                  : label;
  };
  for (const classified_row& one : answer.rows) {
    if (one.predicted != classified_row::no_class) ++rows[place(one.label) * classes + one.predicted];
  }
  std::uint64_t written = 0;
  for (std::size_t label = 0; label < classes + 2; ++label) {
    const byte_view name =
        label < classes ? byte_view(model.classes[label]) : byte_view(label == classes ? "?" : "");
    for (std::size_t predicted = 0; predicted < classes; ++predicted) {
      const std::uint64_t count = rows[label * classes + predicted];
      if (count == 0) continue;
      table.row({name, byte_view(model.classes[predicted]), count});
      ++written;
    }
  }
  return written;
}

void note_answer(const naivebayes_model& model, const naivebayes_answer& answer, run_report& report) {
  if (answer.judged() > 0) {
    std::array<char, 32> percent;
    std::snprintf(percent.data(), percent.size(), "%.4g", 100 * answer.accuracy());
    report.notes.push_back("accuracy: " + std::string(percent.data()) + " %, " + count_text(answer.correct) +
                           " of " + count_text(answer.judged(), "row"));
  }
  const auto tell = [&](std::uint64_t count, const char* one, const char* many) {
    if (count > 0) report.notes.push_back(count_text(count) + (count == 1 ? one : many));
  };
  tell(answer.unlabelled, " row to classify has no label", " rows to classify have no label");
  tell(answer.unknown_labels, " row has a label that the training set did not have: it counts as wrong",
       " rows have labels that the training set did not have: they count as wrong");
  if (answer.unknown_labels > 0 && answer.unknown_labels == answer.judged())
    report.notes.push_back("no label is one of the training set's ('" + model.classes.front() +
                           "' is one): do both tables write them in the same way, in the same column?");
  tell(answer.unknown_values, " value was never seen in training, and left out of its row's sum",
       " values were never seen in training, and left out of their rows' sums");
  tell(answer.malformed, " line to classify is no row", " lines to classify are no rows");
}

run_report run_naivebayes(run_context& context) {
  command_options& mine = options_of_this_run();
  const run_arguments& options = context.options;
  require_consistent(mine, options);
  mine.training.delimiter = delimiter_of(mine.delimiter);
  mine.training.missing = mine.missing == "ignore" ? missing_values::ignore : missing_values::category;
  mine.training.rows = mine.bad_rows == "drop" ? bad_rows::drop : bad_rows::error;
  std::optional<result_file> model_file;
  std::optional<result_file> predictions_file;
  if (!mine.model_out.empty()) model_file.emplace(mine.model_out);
  if (!mine.predictions.empty()) predictions_file.emplace(mine.predictions);

  run_report report;
  naivebayes_model model;
  if (mine.model.empty()) {
    const input table = input_of(options);
    const auto pool = cpu::machine_pool(options.threads.value_or(0), table);
    naivebayes_training training =
        naivebayes_train(table, *pool, mine.training, run_options_for(options, context.control, &report));
    model = std::move(training.model);
    if (training.malformed > 0)
      report.notes.push_back(count_text(training.malformed, "line") + " left out in training: no rows");
    if (training.unlabelled > 0)
      report.notes.push_back(count_text(training.unlabelled, "row") + " left out in training: no label");
    note_numbers(model, report);
    note_exact_task(options, report);
  } else {
    model = load(mine.model);
  }
  if (model_file) {
    model_file->sink().write(byte_view(to_json(model)));
    model_file->commit();
  }

  if (mine.test.empty()) {
    table_writer table(context.sink, options.format,
                       {"attribute", "category", "class", "rows", "log_probability"});
    write_model(model, table);
    report.results = model.classes.size();
    for (const naivebayes_attribute& one : model.attributes) report.results += one.rows.size();
  } else {
    const input table =
        open_input({mine.test}, options.no_decompress ? input_content::stored : input_content::text);
    const auto pool = cpu::machine_pool(options.threads.value_or(0), table);
    run_report second;
    run_options how = run_options_for(options, context.control, &second);
    const naivebayes_answer answer = naivebayes_classify(model, table, *pool, mine.training.rows, how);
    if (!mine.model.empty()) report = std::move(second);
    note_answer(model, answer, report);
    context.figures = {{"correct", answer.correct}, {"rows", answer.judged()}};
    if (predictions_file) {
      // On a terminal, standard output gets aligned columns. The file of predictions then gets TSV.
      write_predictions(model, answer, options.may_align ? table_format::tsv : options.format,
                        predictions_file->sink());
      predictions_file->commit();
    }
    table_writer confusion(context.sink, options.format, {"label", "predicted", "rows"});
    report.results = write_confusion(model, answer, confusion);
  }
  report.task = "naivebayes";
  return report;
}

constexpr std::string_view input_options[] = {"--test", "--model"};
constexpr std::string_view result_options[] = {"--model-out", "--predictions"};

}  // namespace

constinit const app naivebayes_app{
    .name = "naivebayes",
    .summary = "classes of rows of categories, learned from a table",
    .description = description,
    .add_options = add_options,
    .input_option = "--train",
    .files = {.inputs = input_options, .results = result_options},
    .run = run_naivebayes,
};

}  // namespace duomap::apps
