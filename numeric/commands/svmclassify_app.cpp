// The application `svmclassify`: classifies rows by a support vector machine.
#include "apps/cli/options.hpp"
#include "apps/cli/result_files.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/output/result_file.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/own_kernels.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/sparse_parts.hpp"
#include "numeric/common/whole_input.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"
#include "scheduler/report/steps_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Classifies rows with a support vector machine, as svm-predict does.

  record   a row x
  map      K(s, x) for each support vector s
  reduce   sums of coefficient * K(s, x), one for each pair of classes
  finish   less rho; each pair votes for one of its classes, and the class
           with most votes wins (of equal ones the first in the model)

The files are svm-predict's on purpose, so that its command lines work.
TEST is LIBSVM text (also compressed), MODEL a file of svmtrain or svm-train.
OUTPUT gets one label a line; without it they go where --output says. The
labels in TEST are for the accuracy in the summary. TEST is read and
classified 16 MiB at a time and may be of any length. Kernel values are
float32, sums float64. Rows whose class that rounding might change are
classified again in float64.

--device auto uses a GPU when the CPU is expected to take 0.5 s, or has taken
them; it then classifies alone. With cpu+gpu both share the rows. Support
vectors that a GPU has no room for come to it panel by panel.

Examples
  duomap run svmclassify usps.t usps.model usps.labels
)";

void add_options(CLI::App& command) {
  refuse_order(command, {"--top", "--sort"}, "labels are in the order of the rows");
}

/// The most decision values in memory at once. A row has one value for each pair of classes.
constexpr std::uint64_t values_at_once = std::uint64_t{4} << 20;

std::string lines_of(std::span<const double> labels) {
  std::string text;
  for (const double label : labels) {
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), label).ptr);
    text += '\n';
  }
  return text;
}

std::string accuracy_note(std::uint64_t correct, std::uint64_t rows) {
  std::array<char, 32> percent;
  std::snprintf(percent.data(), percent.size(), "%.6g",
                100 * static_cast<double>(correct) / static_cast<double>(rows));
  return "Accuracy = " + std::string(percent.data()) + "% (" + std::to_string(correct) + "/" +
         std::to_string(rows) + ") (classification)";
}

/// Classifies rows part by part: writes labels in order into the sink, and fills in figures, explanation and
/// report.
void classify_parts(const svm_model& model, sparse_parts<double>& parts, const run_options& options,
                    byte_sink& sink, run_figures& figures, run_explanation& explanation, run_report& report) {
  svm_classifier classifier(model, options);
  const std::uint64_t rows_at_once =
      std::max<std::uint64_t>(1, values_at_once / std::max<std::uint64_t>(1, model.pairs()));
  std::uint64_t correct = 0, all = 0;
  for (sparse_table<double> part; parts.next(part);) {
    const svm_rows_of<double> rows = rows_of(part.values);
    for (std::uint64_t first = 0; first < rows.rows; first += rows_at_once) {
      const std::uint64_t count = std::min(rows_at_once, rows.rows - first);
      const std::vector<double> labels = classifier.classify(slice(rows, first, count)).labels;
      for (std::uint64_t i = 0; i < count; ++i) correct += labels[i] == part.labels[first + i] ? 1u : 0u;
      sink.write(byte_view(lines_of(labels)));
    }
    all += rows.rows;
  }
  report.task = "svmclassify";
  report.sources = 2;  // the rows and the model
  report.units = parts.bytes();
  report.results = all;
  scheduler::add_steps(classifier.report(), report.units, classifier.workers(), report);
  explanation = explanation_of_steps(classifier.report());
  add_note(report.notes, parts.growth());
  report.notes.push_back(accuracy_note(correct, all));
  figures = {{"correct", correct}, {"rows", all}};
}

/// Moves the model's columns up by one, so that the index 0 is a feature of its own, as in svm-predict.
void count_from_zero(svm_model& model) {
  if (model.first_index == 0) return;
  for (std::uint32_t& column : model.rows.column_of) ++column;
  ++model.rows.columns;
  model.first_index = 0;
}

run_report run_svmclassify(run_context& context) {
  const run_arguments& options = context.options;
  if (options.paths.size() != 2 && options.paths.size() != 3)
    throw usage_error("give two or three files, TEST, MODEL and OUTPUT; there are " +
                      std::to_string(options.paths.size()));
  if (options.deterministic)
    throw usage_error("CPU and GPU round kernel values differently; leave out --deterministic");
  if (options.verify)
    throw usage_error("classification has no reduction of its own to check; leave out --verify");
  refuse_engines(options, "svmclassify");
  refuse_share(options, "svmclassify");
  std::optional<result_file> file;
  if (options.paths.size() == 3) {
    require_other_file("OUTPUT", options.paths[2], {options.paths[0], options.paths[1]});
    file.emplace(options.paths[2], &context.control);
  }
  const whole_input text(options.paths[1], &context.control);
  const auto pool = cpu::machine_pool(options.threads.value_or(0), view_input(text.bytes()));
  svm_model model = svm_model_from_libsvm(text.bytes(), text.name(), *pool);
  count_from_zero(model);
  table_options reading = table_options_of(context);
  reading.first_index = model.first_index;
  sparse_parts<double> parts(options.paths[0], reading);
  run_report report;
  classify_parts(model, parts, run_options_for(options, context.control, &report),
                 file ? file->sink() : context.sink, context.figures, context.explanation, report);
  add_note(report.notes, text.change());
  if (file) file->commit();
  return report;
}

}  // namespace

constinit const app svmclassify_app{
    .name = "svmclassify",
    .summary = "classify rows with a support vector machine, as LIBSVM's svm-predict",
    .description = description,
    .add_options = add_options,
    .run = run_svmclassify,
};

}  // namespace duomap::apps
