#include "apps/svmclassify/svmclassify_app.hpp"

#include "apps/cli/quantity.hpp"
#include "apps/numeric/sparse_table.hpp"
#include "apps/numeric/whole_input.hpp"
#include "apps/svm/svm.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Classifies rows with a support vector machine, as svm-predict does.

  record   a row x
  map      K(s, x) for each support vector s
  reduce   sums of coefficient * K(s, x), one for each pair of classes
  finish   less rho; each pair votes for one of its classes, and the class
           with most votes wins (of equal ones the first in the model)

TEST is LIBSVM text (also .gz, .zst), MODEL a file of svmtrain or svm-train.
OUTPUT gets one label a line; without it they go where --output says. The
labels in TEST are for the accuracy in the summary.

Example
  duomap run svmclassify usps.t usps.model usps.labels
)";

std::string lines_of(const std::vector<double>& labels) {
  std::string text;
  for (const double label : labels) {
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), label).ptr);
    text += '\n';
  }
  return text;
}

void note_accuracy(const std::vector<double>& predicted, const std::vector<double>& labels,
                   run_report& report) {
  if (labels.empty()) return;
  std::uint64_t correct = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) correct += predicted[i] == labels[i] ? 1u : 0u;
  std::array<char, 32> percent;
  std::snprintf(percent.data(), percent.size(), "%.6g",
                100 * static_cast<double>(correct) / static_cast<double>(labels.size()));
  report.notes.push_back("accuracy: " + std::string(percent.data()) + " %, " + count_text(correct) + " of " +
                         count_text(labels.size(), "row"));
}

run_report run_svmclassify(run_context& context) {
  const run_options& options = context.options;
  if (options.paths.size() != 2 && options.paths.size() != 3)
    throw usage_error("give two or three files, TEST, MODEL and OUTPUT; there are " +
                      std::to_string(options.paths.size()));
  if (options.top || options.order != row_order::none)
    throw usage_error("labels are in the order of the rows; leave out --top and --sort");
  if (options.deterministic)
    throw usage_error("CPU and GPU round kernel values differently; leave out --deterministic");
  if (options.verify)
    throw usage_error("classification has no reduction of its own to check; leave out --verify");
  std::optional<result_file> file;
  if (options.paths.size() == 3) file.emplace(options.paths[2], &context.control);
  const whole_input text(options.paths[1], &context.control);
  const svm_model model = svm_model_from_libsvm(text.bytes(), text.name());
  table_options reading;
  reading.threads = options.threads.value_or(0);
  reading.control = &context.control;
  const sparse_table<float> table = read_sparse_table<float>(options.paths[0], reading);
  run_report report;
  const svm_answer answer =
      svm_classify(model, rows_of(table.values), job_options_for(options, context.control, report));
  byte_sink& sink = file ? file->sink() : context.sink;
  sink.write(byte_view(lines_of(answer.labels)));
  if (file) file->commit();
  note_accuracy(answer.labels, table.labels, report);
  return report;
}

}  // namespace

const app& svmclassify_app() {
  static const app svmclassify{
      .name = "svmclassify",
      .summary = "classify rows with a support vector machine, as LIBSVM's svm-predict",
      .description = description,
      .add_options = {},
      .run = run_svmclassify,
      .add_bench_options = {},
      .bench = {},
  };
  return svmclassify;
}

}  // namespace duomap::apps
