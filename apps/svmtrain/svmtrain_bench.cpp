#include "apps/svmtrain/svmtrain_bench.hpp"

#include "apps/bench/piped_program.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/numeric/sparse_table.hpp"
#include "apps/numeric/whole_input.hpp"
#include "apps/svm/svm.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::string c = "1";
  std::string gamma = "0.05";
  std::string device = "cpu";
  std::uint32_t rounds = 3;
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// A program that has taken as long is not run again: LIBSVM trains a9a (C = 100) for minutes.
constexpr double enough_seconds = 8;

/// What is trained, and what is classified by it.
struct data_set {
  std::string name;
  std::string training, test;
  std::string c, gamma;
  bool odd_against_even = false;  ///< labels by whether they are even
};

/// Plain LIBSVM text of a file, for programs that read no compressed files. Returns its labels.
std::vector<double> copy_rows(const std::string& from, bool odd_against_even, const std::string& to) {
  sparse_table<float> table = read_sparse_table<float>(from);
  std::string text;
  const auto append = [&](auto number) {
    std::array<char, 32> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
  };
  for (std::uint64_t row = 0; row < table.values.rows(); ++row) {
    double& label = table.labels[row];
    if (odd_against_even) label = std::fmod(label, 2) == 0 ? 1 : -1;
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
  result_file file(to);
  file.sink().write(byte_view(text));
  file.commit();
  return table.labels;
}

/// A pair of programs that train and classify, and what they did.
struct trainer {
  std::string train, classify;  ///< paths
  std::vector<std::string> train_arguments, classify_arguments;
  std::string model, labels;

  std::vector<double> train_seconds, classify_seconds;
};

void run_unless_long(const std::string& program, const std::vector<std::string>& arguments,
                     std::vector<double>& seconds) {
  if (!seconds.empty() && seconds.front() > enough_seconds) return;
  const piped_run run = run_piped(program, arguments);
  if (run.status != 0)
    throw error(exit_status::failed, arguments.front() + " ended with status " + std::to_string(run.status));
  seconds.push_back(run.seconds);
}

/// 1/2 sum c_i c_j K_ij - sum |c_i|, c the coefficients, of a model of two classes.
double objective_of(const svm_model& model) {
  const svm_answer at_vectors = svm_classify(model, rows_of(model.rows), {.device = device_choice::cpu});
  double sum = 0;
  for (std::size_t i = 0; i < model.coefficients.size(); ++i)
    sum += 0.5 * model.coefficients[i] * (at_vectors.values[i] + model.rho.front()) -
           std::abs(model.coefficients[i]);
  return sum;
}

/// Percent of the labels in a file that are right.
double accuracy_of(const std::string& path, const std::vector<double>& labels) {
  const std::vector<double> said = read_sparse_table<float>(path).labels;
  if (said.size() != labels.size())
    throw error(exit_status::failed, path + " has " + count_text(said.size(), "label") + " for " +
                                         count_text(labels.size(), "row"));
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += said[i] == labels[i] ? 1u : 0u;
  return 100 * static_cast<double>(right) / static_cast<double>(labels.size());
}

std::string number(const char* format, double value) {
  std::array<char, 48> digits;
  std::snprintf(digits.data(), digits.size(), format, value);
  return digits.data();
}

/// @throws error when an answer differs from LIBSVM's by more than the bar
void require_near(const std::string& what, double theirs, double ours, double difference, double bar) {
  if (difference <= bar) return;
  throw error(exit_status::failed, what + " is " + number("%.8g", ours) + ", LIBSVM's " +
                                       number("%.8g", theirs) + "; they differ by " +
                                       number("%.2g", difference) + ", and may by " + number("%g", bar));
}

void compare(const data_set& data, const bench_options& options, unsigned rounds, const run_control& control,
             bench_table& table) {
  const temporary_folder folder;
  const std::string training = folder.path() + "/train", test = folder.path() + "/test";
  const std::size_t rows = copy_rows(data.training, data.odd_against_even, training).size();
  const std::vector<double> labels = copy_rows(data.test, data.odd_against_even, test);
  const std::string model = folder.path() + "/model", found = folder.path() + "/labels";
  trainer theirs{.train = find_program("svm-train"),
                 .classify = find_program("svm-predict"),
                 .train_arguments = {"svm-train", "-c", data.c, "-g", data.gamma, training, model + "0"},
                 .classify_arguments = {"svm-predict", test, model + "0", found + "0"},
                 .model = model + "0",
                 .labels = found + "0",
                 .train_seconds = {},
                 .classify_seconds = {}};
  if (theirs.train.empty() || theirs.classify.empty())
    throw usage_error("svm-train and svm-predict are not installed (Debian package libsvm-tools)");
  const std::string self = "/proc/self/exe";
  trainer ours{.train = self,
               .classify = self,
               .train_arguments = {"duomap", "run", "svmtrain", "--quiet", "--device", options.device, "-c",
                                   data.c, "-g", data.gamma, training, model + "1"},
               .classify_arguments = {"duomap", "run", "svmclassify", "--quiet", "--device", options.device,
                                      test, model + "1", found + "1"},
               .model = model + "1",
               .labels = found + "1",
               .train_seconds = {},
               .classify_seconds = {}};
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (trainer* const one : {&theirs, &ours}) {
      stop_if_cancelled(control);
      say(data.name + ", round " + std::to_string(round + 1) + ": " + one->train_arguments.front());
      run_unless_long(one->train, one->train_arguments, one->train_seconds);
      run_unless_long(one->classify, one->classify_arguments, one->classify_seconds);
    }
  }
  const std::string name = data.name + ", C = " + data.c + ", gamma = " + data.gamma + ", ";
  const auto rows_for = [&](const std::string& what, std::size_t count,
                            const std::vector<double>& their_seconds,
                            const std::vector<double>& our_seconds) {
    const bench_work work{static_cast<double>(count), "rows"};
    const std::size_t first = table.rows.size();
    table.rows.push_back({.workload = name + count_text(count, "row") + " " + what,
                          .program = "LIBSVM",
                          .seconds = their_seconds,
                          .work = work,
                          .checked = true});
    table.rows.push_back({.workload = table.rows.back().workload,
                          .program = "duomap",
                          .device = options.device,
                          .threads = cpu::usable_cores().cores,
                          .seconds = our_seconds,
                          .work = work,
                          .checked = true});
    set_speed_ups(table, first);
  };
  const auto add_figures = [&](const std::string& what, double expected, double reached) {
    table.rows[table.rows.size() - 2].figures.push_back({what, expected});
    table.rows.back().figures.push_back({what, reached});
  };
  const auto model_in = [](const std::string& path) {
    const whole_input text(path);
    return svm_model_from_libsvm(text.bytes(), text.name());
  };
  const svm_model their_model = model_in(theirs.model), our_model = model_in(ours.model);
  rows_for("trained", rows, theirs.train_seconds, ours.train_seconds);
  if (their_model.classes.size() == 2) {
    const double expected = objective_of(their_model), reached = objective_of(our_model);
    require_near("the objective", expected, reached, std::abs(reached / expected - 1), 1e-3);
    add_figures("objective", expected, reached);
  }
  const auto vectors = static_cast<double>(their_model.rows.rows());
  const auto own_vectors = static_cast<double>(our_model.rows.rows());
  require_near("the number of support vectors", vectors, own_vectors,
               std::abs(own_vectors - vectors) / std::max(1.0, vectors), 0.02);
  add_figures("support vectors", vectors, own_vectors);
  rows_for("classified", labels.size(), theirs.classify_seconds, ours.classify_seconds);
  const double accuracy = accuracy_of(theirs.labels, labels), own_accuracy = accuracy_of(ours.labels, labels);
  require_near("the accuracy in percent", accuracy, own_accuracy, std::abs(own_accuracy - accuracy), 0.2);
  add_figures("accuracy in percent", accuracy, own_accuracy);
}

/// The problems whose bars are kept, as far as a folder has their data (LIBSVM's collection, maybe .gz).
std::vector<data_set> usual_problems(const std::string& folder) {
  const auto file = [&](const std::string& name) {
    const std::string path = folder + "/" + name;
    return std::filesystem::exists(path) ? path : path + ".gz";
  };
  std::vector<data_set> problems{
      {"USPS odd against even", file("usps"), file("usps.t"), "10", "0.00390625", true},
      {"a9a", file("a9a"), file("a9a.t"), "1", "0.05"},
      {"a9a", file("a9a"), file("a9a.t"), "100", "0.5"},
  };
  std::erase_if(problems, [](const data_set& one) {
    const bool is_there = std::filesystem::exists(one.training) && std::filesystem::exists(one.test);
    if (!is_there) say(one.name + " is left out: " + one.training + " or " + one.test + " is not there");
    return !is_there;
  });
  return problems;
}

}  // namespace

void add_svmtrain_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_required_paths(command, options.paths,
                     "a folder with LIBSVM's a9a, a9a.t, usps and usps.t (or .gz of them);\n"
                     "or LIBSVM text: TRAIN, and TEST if it is another file");
  add_text(command, "-c,--cost", options.c, "C, for TRAIN");
  add_text(command, "-g,--gamma", options.gamma, "gamma of the RBF kernel, for TRAIN");
  add_choice(command, "--device", options.device, "where duomap runs", {"auto", "cpu", "gpu"});
  add_number(command, "--rounds", options.rounds,
             "timed runs of each; one that takes more than 8 s\nis not repeated",
             number_range<std::uint32_t>{1, 1000});
}

std::vector<bench_table> bench_svmtrain(const bench_context& context) {
  const bench_options& options = options_of_this_run();
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
          "Whole programs, files read and written; rounds taken in turn, one where a run takes more than 8 s",
      .baseline = "LIBSVM"};
  for (const data_set& problem : problems)
    compare(problem, options, context.rounds(options.rounds), context.control, table);
  table.notes = {
      "The bars are 2x for training and 10x for classification. Objectives may differ by 1e-3 of theirs, "
      "numbers of support vectors by 2 %, accuracies by 0.2 points"};
  return {table};
}

}  // namespace duomap::apps
