// Tests numeric/svm/svm.hpp: training and classification report progress, shares and a timeline.
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "numeric/tests/svm/svm_problems.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::numeric_svm_svm_report_test {

using numeric_svm_svm_test::points;

std::uint64_t units_of(const std::vector<timeline_event>& timeline) {
  std::uint64_t units = 0;
  for (const timeline_event& one : timeline) {
    CHECK(one.lane.starts_with("cpu"));
    CHECK(one.end >= one.begin);
    units += one.units;
  }
  return units;
}

TEST_CASE("svm: training tells what each worker did, and how far it is", "[svm]") {
  for (const svm_method method : {svm_method::blocked, svm_method::second_order}) {
    for (const std::size_t classes : {2u, 7u}) {
      CAPTURE(static_cast<int>(method), classes);
      const points data(600, 5, 3, classes);
      run_control control;
      run_report report;
      control.units_done = control.units_total = 1000;
      svm_options options{.method = method};
      options.run = {.device = device_choice::cpu,
                     .threads = 2,
                     .timeline = true,
                     .control = &control,
                     .report = &report};
      const svm_training trained = svmtrain(data.dense(), data.labels, options);
      std::uint64_t rounds = 0;
      for (const svm_pair& pair : trained.pairs) rounds += pair.rounds;
      CHECK(trained.report.steps == rounds);
      const iterative_part& cpu = trained.report.parts.at(0);
      CHECK(cpu.units > 0);
      // The timeline has all rounds, and also the passes over the rows that compute f anew at the end.
      CHECK(units_of(trained.report.timeline) >= cpu.units);
      CHECK(report.timeline.size() == trained.report.timeline.size());
      REQUIRE(report.executors.size() == 1);
      CHECK(report.executors[0].units == report.units);
      const std::uint64_t of_pairs =
          classes == 2 ? cpu.units : std::uint64_t{classes - 1} * data.values.size() * sizeof(float);
      CHECK(control.units_done >= 1000 + of_pairs * 99 / 100);
      CHECK(control.units_done <= 1000 + of_pairs);
      CHECK((classes > 2 || control.units_total == control.units_done));
      options.run.timeline = false;
      CHECK(svmtrain(data.dense(), data.labels, options).report.timeline.empty());
    }
  }
}

TEST_CASE("svm: classification tells what each worker did", "[svm]") {
  const points data(2000, 5, 3);
  const svm_training trained = svmtrain(data.dense(), data.labels);
  svm_classifier classifier(trained.model, {.device = device_choice::cpu, .threads = 2, .timeline = true});
  static_cast<void>(classifier.classify(data.dense()));
  static_cast<void>(classifier.classify(data.dense()));
  const iterative_report told = classifier.report();
  CHECK(told.steps == 2);
  CHECK(told.units == 2 * data.dense().bytes());
  REQUIRE(told.parts.size() == 1);
  CHECK(told.parts[0].steps == 2);
  CHECK(units_of(told.timeline) == told.units);
}

}  // namespace duomap::test::numeric_svm_svm_report_test
