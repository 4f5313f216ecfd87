// Tests the papers' experiments on small inputs: every program gives the answer of the sequential program,
// and a wrong answer is noticed.
#include "bench/papers/experiments.hpp"

#include "bench/papers/measured.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace duomap::test::bench_papers_experiments_test {
namespace {

using apps::experiment;
using apps::variant;

// The text is large enough to be mapped and not streamed.
constexpr std::uint64_t text_bytes = torture ? 60'000 : 1'200'000;

// Runs each program that can run here once. They throw when answers differ.
void run_once(const experiment& one) {
  REQUIRE(one.programs.size() >= 2);
  CHECK(one.programs.front().name == "sequential");
  CHECK(one.work > 0);
  for (const variant& each : one.programs) {
    INFO(each.name << " on " << each.device);
    if (each.run) {
      CHECK(each.run()->seconds > 0);
    } else {
      CHECK(each.not_measured == "no GPU");
    }
  }
}

}  // namespace

TEST_CASE("programs of the papers' text experiments agree", "[papers][plain-tbb]") {
  run_once(apps::wordcount_experiment(text_bytes, 90));
  run_once(apps::stringmatch_experiment(text_bytes));
  run_once(apps::invertedindex_experiment(text_bytes));
}

TEST_CASE("programs of the papers' log experiments agree", "[papers][plain-tbb]") {
  run_once(apps::pageviewcount_experiment(text_bytes, 103, apps::compared_engines::sort));
  run_once(apps::pageviewcount_experiment(text_bytes, 4000, apps::compared_engines::tables));
  run_once(apps::pageviewrank_experiment(text_bytes, 2000));
}

TEST_CASE("programs of the papers' matrix experiments agree", "[papers][plain-tbb]") {
  run_once(apps::matmul_experiment(65));
  run_once(apps::similarity_experiment(70));
  run_once(apps::covariance_experiment(3000, 8));
}

TEST_CASE("programs of the papers' mining experiments agree", "[papers][plain-tbb]") {
  run_once(apps::kmeans_experiment(5000, 20));
  run_once(apps::knn_experiment(5000));
  run_once(apps::naivebayes_experiment(text_bytes));
}

TEST_CASE("programs of the papers' support vector machines agree", "[papers]") {
  run_once(apps::svm_training_experiment(300));
  run_once(apps::svm_classification_experiment(300));
}

TEST_CASE("an experiment measures every program in turn and notices a wrong answer", "[papers]") {
  run_control control;
  const apps::bench_context context{.control = control, .quick = true};
  bool right = true;
  const apps::planned_experiment plan{
      .paper = "a paper", .subject = "adding", .size = "2", .quick = true, .make = [&] {
        experiment one{.work_unit = "sums", .work = 2};
        one.programs = {{.name = "sequential",
                         .run =
                             [] {
                               return apps::timed_run{.seconds = 4e-3};
                             }},
                        {.name = "other",
                         .threads = 2,
                         .run =
                             [&] {
                               apps::require_same_answer(right, "other", "the first");
                               return apps::timed_run{.seconds = 1e-3};
                             }},
                        {.name = "another", .device = "gpu", .not_measured = "no GPU"}};
        return one;
      }};
  const apps::measured_experiment found = measure(plan, context);
  REQUIRE(found.rows.size() == 3);
  CHECK(found.row({"other", "cpu"}).speed_up == Approx(4));
  CHECK(found.row({"other", "cpu"}).checked);
  CHECK(found.row({"other", "cpu"}).cold_seconds == 1e-3);
  CHECK(found.has({"other", "cpu"}));
  CHECK_FALSE(found.has({"other", "gpu"}));
  CHECK(found.row({"other", "cpu"}).workload == "adding, 2");
  CHECK(found.row({"another", "gpu"}).not_measured == "no GPU");
  CHECK(found.row({"another", "gpu"}).seconds.empty());
  right = false;
  CHECK_THROWS_WITH(measure(plan, context), contains("other gave another answer"));
}

}  // namespace duomap::test::bench_papers_experiments_test
