// Tests that an iterative job is reported in the form of a run.
#include "scheduler/report/steps_report.hpp"

#include "tests/catch.hpp"

#include <string>

namespace duomap::test::scheduler_steps_report_test {

using scheduler::add_steps;

TEST_CASE("steps report: an executor's part is that of all steps", "[report]") {
  iterative_report steps{.units = 1000, .steps = 10, .seconds = 2};
  steps.parts.push_back({.name = "cpu", .share = 0.1, .steps = 10, .busy_seconds = 1.5, .units = 4000});
  steps.parts.push_back({.name = "gpu 0",
                         .share = 0.9,
                         .reason = "why",
                         .steps = 6,
                         .busy_seconds = 1,
                         .units = 6000,
                         .kind = executor_kind::device});
  steps.timeline = {{"cpu", "map", 0, 1, 4000}};
  steps.notes = {"a reason"};
  run_report report;
  add_steps(steps, 2000, 4, report);
  CHECK(report.map_seconds == 2);
  CHECK(report.timeline.size() == 1);
  CHECK(report.notes == steps.notes);
  REQUIRE(report.executors.size() == 2);
  CHECK(report.executors[0].units == 800);
  CHECK(report.executors[0].workers == 4);
  CHECK(report.executors[0].busy_seconds == 6);
  CHECK(report.executors[0].reason.empty());
  CHECK(report.executors[1].units == 1200);
  CHECK(report.executors[1].workers == 1);
  CHECK(report.executors[1].reason == "why");
}

}  // namespace duomap::test::scheduler_steps_report_test
