// Times svmtrain() by each method and device, and classify() on each device.
#include "bench/baselines/svm_calls.hpp"

#include "bench/harness/bench_context.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace duomap::apps {
namespace {

/// Seconds of one step of two multipliers, without the fixed cost of a call: the difference between a call of
/// an eighth of all steps and a call of half of them, divided by the steps between.
double iteration_seconds(const svm_rows& rows, std::span<const double> labels, svm_options options,
                         std::uint64_t all, unsigned rounds) {
  const std::uint64_t few = all / 8;
  if (few == 0) return 0;
  std::array<double, 2> least{};
  for (const std::uint64_t steps : {few, 4 * few}) {
    double& seconds = least[steps == few ? 0 : 1];
    seconds = std::numeric_limits<double>::infinity();
    options.max_iterations = steps;
    for (unsigned round = 0; round < rounds; ++round)
      seconds = std::min(seconds, seconds_of([&] { static_cast<void>(svmtrain(rows, labels, options)); }));
  }
  return std::max(0.0, (least[1] - least[0]) / static_cast<double>(3 * few));
}

}  // namespace

std::vector<measured_training> measure_training(const svm_rows& rows, std::span<const double> labels,
                                                const svm_options& options,
                                                std::span<const device_choice> devices, unsigned rounds,
                                                const run_control& control) {
  std::vector<measured_training> all;
  for (const device_choice device : devices) {
    for (const auto& [method, name] :
         {std::pair(svm_method::blocked, ""), std::pair(svm_method::first_order, ", pairs of first order"),
          std::pair(svm_method::second_order, ", pairs of second order")}) {
      if (device == device_choice::cpu && method != svm_method::blocked) continue;
      svm_options mine = options;
      mine.method = method;
      mine.run.device = device;
      measured_training& one = all.emplace_back();
      // Saved runs hold this name, and comparisons find rows by it, so it must not change.
      one.program = std::string("svm_train()") + name;
      one.device = device;
      const auto train = [&] {
        return timed_run{.seconds = seconds_of([&] { one.trained = svmtrain(rows, labels, mine); })};
      };
      one.found = comparison(control).alone({.name = one.program, .run = train}, rounds);
      if (method != svm_method::blocked)
        one.iteration_seconds =
            iteration_seconds(rows, labels, mine, one.trained.pairs.front().iterations, rounds);
    }
  }
  return all;
}

std::vector<measured_answer> measure_classification(const svm_model& model, const svm_rows& rows,
                                                    std::span<const device_choice> devices, unsigned rounds,
                                                    const run_control& control) {
  std::vector<measured_answer> all;
  for (const device_choice device : devices) {
    measured_answer& one = all.emplace_back();
    one.device = device;
    svm_classifier classifier(model, {.device = device});
    const auto classify = [&] {
      return timed_run{.seconds = seconds_of([&] { one.answer = classifier.classify(rows); })};
    };
    one.found = comparison(control).alone({.name = "svm_classifier", .run = classify}, rounds);
  }
  return all;
}

}  // namespace duomap::apps
