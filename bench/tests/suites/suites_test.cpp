// Tests bench/suites: suites have different names, and give benchmarks only options that these benchmarks
// take.
#include "bench/harness/bench_arguments.hpp"
#include "bench/harness/benchmark.hpp"
#include "bench/harness/suite.hpp"
#include "bench/suites/application_suites.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <set>
#include <string>

namespace duomap::test::bench_suites_suites_test {

TEST_CASE("suites and benchmarks have different names", "[papers]") {
  std::set<std::string> names;
  for (const apps::benchmark* one : apps::all_benchmarks()) CHECK(names.emplace(one->name).second);
  for (const apps::suite* one : apps::all_suites()) {
    INFO(one->name);
    CHECK(names.emplace(one->name).second);
    CHECK_FALSE(one->summary.empty());
    CHECK_FALSE(one->measurements.empty());
  }
}

TEST_CASE("a suite of benchmarks names those that there are", "[papers]") {
  for (const apps::suite* suite : {&apps::cpu_suite(), &apps::coexec_suite()}) {
    for (const apps::suite_measurement& one : suite->measurements) {
      INFO(one.name);
      CHECK(apps::find_benchmark(one.name) != nullptr);
    }
  }
}

TEST_CASE("a benchmark refuses arguments that it does not know", "[papers]") {
  run_control control;
  const apps::bench_context context{.control = control};
  CHECK_THROWS_WITH(apps::bench_with_arguments("nothing", {}, context),
                    contains("no benchmark of 'nothing'"));
  CHECK_THROWS_WITH(apps::bench_with_arguments("matmul", {"--colour", "red"}, context), contains("--colour"));
  CHECK_THROWS_AS(apps::bench_with_arguments("matmul", {"--rounds", "x"}, context), usage_error);
}

}  // namespace duomap::test::bench_suites_suites_test
