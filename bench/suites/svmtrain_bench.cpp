// Measures training and classification by support vector machines beside LIBSVM.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/baselines/svm_calls.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/printed.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/harness/write_file.hpp"
#include "bench/suites/benchmarks.hpp"
#include "bench/suites/svm_programs.hpp"
#include "core/error.hpp"
#include "gpu/device/device.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/common/whole_input.hpp"
#include "numeric/svm/svm.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::string c = "1";
  std::string gamma = "0.05";
  std::string device = "each";
  std::string other_libsvm;
  double limit = 0;
  std::uint32_t rounds = 3;
};

/// Writes the measured rows of a data set as plain LIBSVM text, because other programs cannot read compressed
/// files. If `data.odd_against_even` is set, even labels become 1 and odd labels -1.
void copy_rows(const std::string& from, const data_set& data, const std::string& to) {
  sparse_table<float> table = read_sparse_table<float>(from);
  std::string text;
  const auto append = [&](auto number) {
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
  };
  for (std::uint64_t row = 0; row < std::min(data.most_rows, table.values.rows()); ++row) {
    double& label = table.labels[row];
    if (data.odd_against_even) label = std::fmod(label, 2) == 0 ? 1 : -1;
    append(label);
    const auto columns = table.values.columns_of_row(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      text += ' ';
      append(columns[k] + 1);
      text += ':';
      append(table.values.values_of_row(row)[k]);
    }
    text += '\n';
  }
  write_file(to, text);
}

/// The objective of a model of two classes with coefficients c: 1/2 sum c_i c_j K_ij - sum |c_i|.
double objective_of(const svm_model& model) {
  const svm_answer at_vectors = svmclassify(model, rows_of(model.rows), {.device = device_choice::cpu});
  double sum = 0;
  for (std::size_t i = 0; i < model.coefficients.size(); ++i)
    sum += 0.5 * model.coefficients[i] * (at_vectors.values[i] + model.rho.front()) -
           std::abs(model.coefficients[i]);
  return sum;
}

/// The percentage of labels that are right.
double percent_right(const std::vector<double>& said, const std::vector<double>& labels) {
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += said[i] == labels[i] ? 1u : 0u;
  return 100 * static_cast<double>(right) / static_cast<double>(labels.size());
}

/// The percentage of labels in a file that are right.
double accuracy_of(const std::string& path, const std::vector<double>& labels) {
  const std::vector<double> said = read_sparse_table<float>(path).labels;
  if (said.size() != labels.size())
    throw error(exit_status::failed, path + " has " + count_text(said.size(), "label") + " for " +
                                         count_text(labels.size(), "row"));
  return percent_right(said, labels);
}

double number_in(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// @throws error when an answer differs from its reference by more than the bar
void require_near(const std::string& what, double theirs, double ours, double difference, double bar) {
  if (difference <= bar) return;
  throw error(exit_status::failed, what + " is " + printed("%.8g", ours) + " and should be " +
                                       printed("%.8g", theirs) + "; they differ by " +
                                       printed("%.2g", difference) + ", and may by " + printed("%g", bar));
}

svm_model model_in(const std::string& path) {
  const whole_input text(path);
  return svm_model_from_libsvm(text.bytes(), text.name());
}

bench_row row_of(const svm_programs& one, const std::string& workload, const svm_command& command,
                 std::size_t rows) {
  return {.workload = workload,
          .program = one.name,
          .device = one.device,
          .threads = one.threads,
          .seconds = command.done.seconds(),
          .work = {static_cast<double>(rows), "rows"},
          .checked = !command.stopped,
          .note = command.stopped
                      ? "was stopped before it had ended: takes longer, and others are at least so "
                        "many times as fast"
                      : ""};
}

/// Makes a row of a measured_training or a measured_answer.
template <class Measured>
bench_row row_of_calls(const std::string& program, const Measured& one, const std::string& workload,
                       std::size_t rows) {
  bench_row row =
      row_on(one.device, workload, program, {static_cast<double>(rows), "rows"}, one.found.seconds());
  row.cold_seconds = one.found.first_seconds;
  return row;
}

/// The largest relative difference between a program's number of support vectors and LIBSVM's.
constexpr double vectors_bar = 0.02;

/// Adds the figures of a model and requires that they are near those of the model `theirs`. `bar` limits the
/// relative difference between the numbers of support vectors.
void add_figures(const svm_model& model, const svm_model& theirs, double bar, bench_row& row) {
  if (theirs.classes.size() == 2) {
    const double expected = objective_of(theirs), reached = objective_of(model);
    require_near("the objective", expected, reached, std::abs(reached / expected - 1), 1e-3);
    row.figures.push_back({"objective", reached});
  }
  const auto vectors = static_cast<double>(theirs.rows.rows());
  const auto own = static_cast<double>(model.rows.rows());
  require_near("the number of support vectors", vectors, own,
               std::abs(own - vectors) / std::max(1.0, vectors), bar);
  row.figures.push_back({"support vectors", own});
}

void add_accuracy(double accuracy, double theirs, bench_row& row) {
  require_near("the accuracy in percent", theirs, accuracy, std::abs(accuracy - theirs), 0.2);
  row.figures.push_back({"accuracy in percent", accuracy});
}

/// The first program that was not stopped: LIBSVM if it was done, else the next. Its answers are the
/// reference.
const svm_programs& first_done(const std::vector<svm_programs>& all, svm_command svm_programs::*command) {
  const auto found =
      std::ranges::find_if(all, [&](const svm_programs& one) { return !(one.*command).stopped; });
  if (found == all.end())
    throw error(exit_status::failed, "no program was done within the limit; give a longer one");
  return *found;
}

void compare(const data_set& data, const bench_options& options, const std::vector<device_choice>& devices,
             unsigned rounds, const run_control& control, bench_table& table) {
  const temporary_folder folder;
  const std::string training = folder.path() + "/train", test = folder.path() + "/test";
  copy_rows(data.training, data, training);
  copy_rows(data.test, data, test);
  const sparse_table<float> rows = read_sparse_table<float>(training);
  const sparse_table<float> others = read_sparse_table<float>(test);
  std::vector<svm_programs> all = svm_programs_for(data, options.other_libsvm, devices, folder.path());
  run_in_turn(all, &svm_programs::train, data.name + ", training", options.limit, rounds, control);
  const svm_programs& trained = first_done(all, &svm_programs::train);
  // A program that was stopped in training has no model and classifies with the reference's.
  for (svm_programs& one : all) {
    if (one.train.stopped) one.classify.arguments.end()[-2] = trained.model;
  }
  run_in_turn(all, &svm_programs::classify, data.name + ", classification", options.limit, rounds, control);
  say(data.name + ": calls");
  const std::string name = data.name + ", C = " + data.c + ", gamma = " + data.gamma + ", ";
  const svm_model theirs = model_in(trained.model);
  // If LIBSVM was stopped, the reference and a compared program may each differ from LIBSVM by `vectors_bar`,
  // and so by twice as much from each other.
  const double bar = all.front().train.stopped ? 2 * vectors_bar : vectors_bar;

  std::size_t first = table.rows.size();
  std::string workload = name + count_text(rows.values.rows(), "row") + " trained";
  for (const svm_programs& one : all) {
    table.rows.push_back(row_of(one, workload, one.train, rows.values.rows()));
    if (!one.train.stopped) add_figures(model_in(one.model), theirs, bar, table.rows.back());
  }
  const svm_options how{.gamma = number_in(data.gamma), .c = number_in(data.c)};
  for (const measured_training& one :
       measure_training(rows_of(rows.values), rows.labels, how, devices, rounds, control)) {
    bench_row& row = table.rows.emplace_back(row_of_calls(one.program, one, workload, rows.values.rows()));
    add_figures(one.trained.model, theirs, bar, row);
    if (one.iteration_seconds > 0) row.figures.push_back({"a step of two", one.iteration_seconds, "s"});
  }
  set_speed_ups(table, first);

  first = table.rows.size();
  workload = name + count_text(others.values.rows(), "row") + " classified";
  const double accuracy = accuracy_of(first_done(all, &svm_programs::classify).labels, others.labels);
  for (const svm_programs& one : all) {
    table.rows.push_back(row_of(one, workload, one.classify, others.values.rows()));
    if (!one.classify.stopped)
      add_accuracy(accuracy_of(one.labels, others.labels), accuracy, table.rows.back());
  }
  for (const measured_answer& one :
       measure_classification(theirs, rows_of(others.values), devices, rounds, control)) {
    bench_row& row =
        table.rows.emplace_back(row_of_calls("svm_classifier", one, workload, others.values.rows()));
    add_accuracy(percent_right(one.answer.labels, others.labels), accuracy, row);
  }
  set_speed_ups(table, first);
}

/// The problems that the bars are for, as far as a folder has their data (LIBSVM's collection, also as .gz).
std::vector<data_set> usual_problems(const std::string& folder) {
  const auto file = [&](const std::string& name) {
    const std::string path = folder + "/" + name;
    return std::filesystem::exists(path) ? path : path + ".gz";
  };
  std::vector<data_set> problems{
      {"USPS odd against even", file("usps"), file("usps.t"), "10", "0.00390625", true},
      {"a9a", file("a9a"), file("a9a.t"), "1", "0.05"},
      {"a9a", file("a9a"), file("a9a.t"), "100", "0.5"},
      {"MNIST odd against even", file("mnist.scale"), file("mnist.scale.t"), "10", "0.125", true, 20000},
  };
  std::erase_if(problems, [](const data_set& one) {
    const bool is_there = std::filesystem::exists(one.training) && std::filesystem::exists(one.test);
    if (!is_there) say(one.name + " is left out: " + one.training + " or " + one.test + " is not there");
    return !is_there;
  });
  return problems;
}

std::vector<device_choice> devices_for(const bench_options& options) {
  if (options.device == "auto") return {device_choice::automatic};
  if (options.device == "gpu") return {device_choice::gpu};
  if (options.device == "cpu+gpu") return {device_choice::cpu_gpu};
  if (options.device == "cpu" || gpu::discover().devices.empty()) return {device_choice::cpu};
  return {device_choice::cpu, device_choice::gpu};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_required_paths(
      command, options.paths,
      "a folder with LIBSVM's a9a, a9a.t, usps, usps.t, mnist.scale and mnist.scale.t (or .gz of\n"
      "them), or some of these, of mnist.scale the first 20,000 rows;\n"
      "or LIBSVM text: TRAIN, and TEST if it is another file");
  add_text(command, "-c,--cost", options.c, "C, for TRAIN");
  add_text(command, "-g,--gamma", options.gamma, "gamma of the RBF kernel, for TRAIN");
  add_choice(command, "--device", options.device,
             "where duomap runs; each: on the CPU, and on the GPU\nif there is one",
             {"each", "auto", "cpu", "gpu", "cpu+gpu"});
  add_text(command, "--other-libsvm", options.other_libsvm,
           "a folder with another build of svm-train and\nsvm-predict, such as LIBSVM's own with OpenMP");
  add_number(command, "--limit", options.limit,
             "seconds after which a program is stopped and counted\nas if it had ended then; 0: never",
             number_range<double>{0, 1e9});
  add_number(command, "--rounds", options.rounds,
             "timed runs of each; one that takes more than 8 s\nis not repeated",
             number_range<std::uint32_t>{1, 1000});
}

std::vector<bench_table> bench_svmtrain(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const bool is_folder = std::filesystem::is_directory(options.paths.front());
  if (options.paths.size() > (is_folder ? 1u : 2u))
    throw usage_error("give a folder, or TRAIN, or TRAIN and TEST");
  const std::vector<data_set> problems =
      is_folder
          ? usual_problems(options.paths.front())
          : std::vector<data_set>{{std::filesystem::path(options.paths.front()).filename().string(),
                                   options.paths.front(), options.paths.back(), options.c, options.gamma}};
  if (problems.empty()) throw usage_error("there is nothing to measure in " + options.paths.front());
  bench_table table{
      .name = "svmtrain",
      .title = "Support vector machines beside LIBSVM's svm-train and svm-predict",
      .subject =
          "LIBSVM and duomap: whole programs, files read and written; rounds taken in turn, one where a run "
          "takes more than 8 s. svm_train() and svm_classifier: calls, rows and model in memory",
      .baseline = "LIBSVM"};
  const std::vector<device_choice> devices = devices_for(options);
  for (const data_set& problem : problems)
    compare(problem, options, devices, context.rounds(options.rounds), context.control, table);
  table.notes = {
      "The bars are 2x for training and 10x for classification with the CPU, 30x (MNIST 100x) and 500x with "
      "a GPU. Objectives may differ by 1e-3 of theirs, "
      "numbers of support vectors by 2 %, accuracies by 0.2 points; where LIBSVM was stopped duomap's "
      "answers on "
      "the CPU stand for its own, and numbers of support vectors may differ by 4 %"};
  return {table};
}

}  // namespace

const benchmark svmtrain_benchmark{
    .name = "svmtrain",
    .summary = "support vector machines, against svm-train and svm-predict",
    .add_options = add_options,
    .measure = bench_svmtrain,
};

}  // namespace duomap::apps
