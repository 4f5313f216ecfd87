// Tests a measurement in a process of its own: the tables that come back, and the error when none do.
#include "bench/harness/measure_in_subprocess.hpp"

#include "bench/tests/harness/support.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace duomap::test::bench_harness_measure_in_subprocess_test {
namespace {

std::vector<apps::bench_table> apart(const apps::measure_function& measure) {
  run_control control;
  return measure_in_subprocess("a test", measure, {.control = control});
}

}  // namespace

TEST_CASE("a measurement apart returns its tables from another process", "[bench]") {
  const ::pid_t here = ::getpid();
  const auto tables = apart([here](const apps::bench_context&) {
    auto all = synthetic_run({synthetic_row("duomap", {1})}).tables;
    all.front().notes = {::getpid() == here ? "here" : "apart",
                         std::string(1 << 20, 'x')};  // more than a pipe holds
    return all;
  });
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].notes.at(0) == "apart");
  CHECK(tables[0].notes.at(1).size() == 1 << 20);
  CHECK(tables[0].rows.at(0).seconds == std::vector<double>{1});
}

TEST_CASE("an error of a measurement apart keeps its kind", "[bench]") {
  const auto failing = [](const auto& problem) {
    return apps::measure_function(
        [problem](const apps::bench_context&) -> std::vector<apps::bench_table> { throw problem; });
  };
  CHECK_THROWS_AS(apart(failing(device_unavailable("no GPU"))), device_unavailable);
  CHECK_THROWS_AS(apart(failing(usage_error("no"))), usage_error);
  CHECK_THROWS_AS(apart(failing(interrupted())), interrupted);
  CHECK_THROWS_WITH(apart(failing(std::runtime_error("a cable"))), "a cable");
  try {
    static_cast<void>(apart(failing(input_error("a file"))));
    FAIL("nothing was thrown");
  } catch (const error& problem) {
    CHECK(problem.status() == exit_status::bad_input);
    CHECK(std::string(problem.what()) == "a file");
  }
}

TEST_CASE("a measurement apart that is killed is an error that names it", "[bench]") {
  CHECK_THROWS_WITH(apart([](const apps::bench_context&) -> std::vector<apps::bench_table> {
                      ::kill(::getpid(), SIGKILL);
                      return {};
                    }),
                    contains("a test") && contains("signal 9"));
}

}  // namespace duomap::test::bench_harness_measure_in_subprocess_test
