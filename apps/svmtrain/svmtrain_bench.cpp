#include "apps/svmtrain/svmtrain_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/bench/piped_program.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/numeric/whole_input.hpp"
#include "apps/svm/svm.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/processor.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::string c = "1";
  std::string gamma = "0.05";
  std::string device = "auto";
  std::uint32_t rounds = 3;
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// A pair of programs that train and classify.
struct trainer {
  std::string name;
  std::string train, classify;  ///< paths
  std::vector<std::string> train_arguments, classify_arguments;
  std::string model, labels;

  std::vector<double> train_seconds, classify_seconds;
};

void run_once(const std::string& program, const std::vector<std::string>& arguments,
              std::vector<double>& seconds) {
  const piped_run run = run_piped(program, arguments);
  if (run.status != 0)
    throw error(exit_status::failed, arguments.front() + " ended with status " + std::to_string(run.status));
  seconds.push_back(run.seconds);
}

svm_model model_in(const std::string& path) {
  const whole_input text(path);
  return svm_model_from_libsvm(text.bytes(), text.name());
}

/// Of a model of two classes: 1/2 sum c_i c_j K_ij - sum |c_i|, c the coefficients.
double objective_of(const svm_model& model) {
  const svm_answer at_vectors = svm_classify(model, rows_of(model.rows), {.device = device_choice::cpu});
  double sum = 0;
  for (std::size_t i = 0; i < model.coefficients.size(); ++i)
    sum += 0.5 * model.coefficients[i] * (at_vectors.values[i] + model.rho.front()) -
           std::abs(model.coefficients[i]);
  return sum;
}

std::string number(const char* format, double value) {
  std::array<char, 48> digits;
  std::snprintf(digits.data(), digits.size(), format, value);
  return digits.data();
}

}  // namespace

void add_svmtrain_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_required_paths(command, options.paths, "LIBSVM text: TRAIN, and TEST if it is another file");
  add_text(command, "-c,--cost", options.c, "C");
  add_text(command, "-g,--gamma", options.gamma, "gamma of the RBF kernel");
  add_choice(command, "--device", options.device, "where duomap runs", {"auto", "cpu", "gpu"});
  add_number(command, "--rounds", options.rounds, "timed runs of each", number_range<std::uint32_t>{1, 1000});
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_svmtrain(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  if (options.paths.size() > 2) throw usage_error("give TRAIN, or TRAIN and TEST");
  const std::string &training = options.paths.front(), &test = options.paths.back();
  const std::string theirs = find_program("svm-train"), their_classifier = find_program("svm-predict");
  if (theirs.empty() || their_classifier.empty())
    throw usage_error("svm-train and svm-predict are not installed (Debian package libsvm-tools)");

  const temporary_folder folder;
  const std::string model = folder.path() + "/model", labels = folder.path() + "/labels";
  std::vector<trainer> trainers(2);
  trainers[0] = {
      .name = "LIBSVM, one thread",
      .train = theirs,
      .classify = their_classifier,
      .train_arguments = {"svm-train", "-c", options.c, "-g", options.gamma, training, model + "0"},
      .classify_arguments = {"svm-predict", test, model + "0", labels + "0"},
      .model = model + "0",
      .labels = labels + "0",
      .train_seconds = {},
      .classify_seconds = {}};
  const std::string self = "/proc/self/exe";
  trainers[1] = {.name = "duomap, device " + options.device,
                 .train = self,
                 .classify = self,
                 .train_arguments = {"duomap", "run", "svmtrain", "--quiet", "--device", options.device, "-c",
                                     options.c, "-g", options.gamma, training, model + "1"},
                 .classify_arguments = {"duomap", "run", "svmclassify", "--quiet", "--device", options.device,
                                        test, model + "1", labels + "1"},
                 .model = model + "1",
                 .labels = labels + "1",
                 .train_seconds = {},
                 .classify_seconds = {}};
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    for (trainer& one : trainers) {
      if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
      say("round " + std::to_string(round + 1) + ", " + one.name);
      run_once(one.train, one.train_arguments, one.train_seconds);
      run_once(one.classify, one.classify_arguments, one.classify_seconds);
    }
  }

  std::string table =
      "Support vector machines: " + training + ", C = " + options.c + ", gamma = " + options.gamma + "; " +
      cpu::processor_name() + ", " + std::to_string(cpu::usable_cores().cores) +
      " CPUs; whole programs, files read and written; medians of " + count_text(options.rounds, "run") +
      " taken in turn.\n\n| program | training | over LIBSVM | objective | support vectors | "
      "classification | over LIBSVM |\n|---|---:|---:|---:|---:|---:|---:|\n";
  std::vector<double> objectives;
  const double first_train = median(trainers[0].train_seconds);
  const double first_classify = median(trainers[0].classify_seconds);
  for (const trainer& one : trainers) {
    const svm_model found = model_in(one.model);
    if (found.classes.size() == 2) objectives.push_back(objective_of(found));
    const double train = median(one.train_seconds), classify = median(one.classify_seconds);
    table += "| " + one.name + " | " + duration_text(train) + " | " + number("%.1fx", first_train / train) +
             " | " + (found.classes.size() == 2 ? number("%.8g", objectives.back()) : "") + " | " +
             count_text(found.rows.rows()) + " | " + duration_text(classify) + " | " +
             number("%.1fx", first_classify / classify) + " |\n";
  }
  if (objectives.size() == 2 && std::abs(objectives[1] / objectives[0] - 1) > 1e-3)
    throw error(exit_status::failed, "objectives differ by more than 1e-3:\n" + table);
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
