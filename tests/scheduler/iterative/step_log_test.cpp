// Tests the log of an iterative job's steps: its size is bounded, and its sums stay right.
#include "scheduler/iterative/step_log.hpp"

#include "scheduler/iterative/iteration.hpp"
#include "scheduler/report/append_timeline.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/iterative/scripted_job.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace duomap::test::scheduler_step_log_test {

using scheduler::step_lane;
using scheduler::step_log;
using scheduler_iteration_test::scripted_job;
using scheduler_iteration_test::some_rows;

void require_order(const std::vector<timeline_event>& events) {
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (events[i].lane == events[i - 1].lane) REQUIRE(events[i].begin >= events[i - 1].end - 1e-9);
  }
}

TEST_CASE("step log: events without room for all are joined with their neighbours", "[step_log]") {
  for (const unsigned count : {1u, 7u, 8u, 9u, 100u, 1000u}) {
    CAPTURE(count);
    step_lane lane("lane", "map", 100, 8);
    for (unsigned i = 0; i < count; ++i) lane.add(100 + i, 100 + i + 0.25, i);
    std::vector<timeline_event> events;
    lane.append_to(events);
    CHECK(events.size() <= 8);
    CHECK((count <= 8) == (lane.joined() == 1));
    double seconds = 0;
    std::uint64_t units = 0;
    for (const timeline_event& one : events) {
      CHECK(one.lane == "lane");
      CHECK(one.what == std::string("map"));
      seconds += one.end - one.begin;
      units += one.units;
    }
    CHECK(events.front().begin == 0);
    CHECK(seconds == Approx(0.25 * count));
    CHECK(units == std::uint64_t{count} * (count - 1) / 2);
    require_order(events);
  }
}

TEST_CASE("step log: lanes of workers have names, others are found by theirs", "[step_log]") {
  step_log log(0, 2);
  log.worker(1).add(1, 2, 5);
  log.lane("gpu 0", "start").add(0, 1);
  log.lane("gpu 0", "start").add(3, 4);
  const std::vector<timeline_event> found = log.timeline();
  REQUIRE(found.size() == 3);
  CHECK(found[0].lane == "cpu worker 1");
  CHECK(found[2].lane == "gpu 0");
  CHECK(found[2].begin == 3);
  CHECK(log.note().empty());
  step_log alone(0, 1);
  for (unsigned i = 0; i < 200'000; ++i) alone.worker(0).add(i, i + 1);
  CHECK(alone.timeline().size() < 10'000);
  CHECK(alone.timeline().front().lane == "cpu");
  CHECK_THAT(alone.note(), contains("neighbouring events of a lane as one"));
}

TEST_CASE("step log: a later timeline follows the one before", "[step_log]") {
  run_report report;
  report.map_seconds = 2;
  report.timeline = {{"cpu", "map", 0, 3, 1}};
  scheduler::append_timeline(report.timeline, {{"cpu", "map", 0.5, 1, 1}}, scheduler::end_of(report));
  CHECK(report.timeline[1].begin == 3.5);
  CHECK(scheduler::end_of(report) == 4);
}

TEST_CASE("iteration: the timeline has what each executor did in each step", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(2);
  job.devices[0].start_seconds = 0.125;
  job.devices[1].seconds_per_unit *= 3;
  job.start({.timeline = true});
  for (int i = 0; i < 30; ++i) static_cast<void>(job.job->step(job.task()));
  const iterative_report told = job.job->report();
  std::map<std::string, std::uint64_t> units;
  std::map<std::string, double> seconds;
  for (const timeline_event& one : told.timeline) {
    CHECK(one.begin >= 0);
    CHECK(one.end <= job.time.now + 1e-9);
    units[one.lane] += one.units;
    seconds[one.lane] += one.end - one.begin;
  }
  CHECK(seconds["gpu 0"] == Approx(0.125));
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < told.parts.size(); ++i) {
    const iterative_part& part = told.parts[i];
    CAPTURE(part.name);
    all += part.units;
    if (part.kind == executor_kind::pool) {
      CHECK(units["cpu worker 0"] + units["cpu worker 1"] == part.units);
      continue;
    }
    CHECK(units[part.name + " kernels"] == part.units);
    CHECK(seconds[part.name + " kernels"] == Approx(part.busy_seconds).epsilon(0.01));
    CHECK(units[part.name + " copies"] == part.moved_bytes);
    CHECK(part.units > 0);
  }
  CHECK(all == 30 * told.units);
  CHECK(std::ranges::count(told.timeline, std::string("merge"), &timeline_event::lane) == 30);
}

TEST_CASE("iteration: a timeline of thousands of steps has bounded room", "[iteration]") {
  scripted_job job(64);
  job.devices.resize(1);
  job.start({.timeline = true});
  for (int i = 0; i < 12'000; ++i) static_cast<void>(job.job->step(job.task()));
  const iterative_report told = job.job->report();
  CHECK(told.timeline.size() < 40'000);
  std::uint64_t units = 0;
  for (const timeline_event& one : told.timeline) {
    if (one.what == std::string("map")) units += one.units;
  }
  CHECK(units == 12'000 * told.units);
  require_order(told.timeline);
  CHECK_THAT(told.notes.back(), contains("neighbouring events"));
}

TEST_CASE("iteration: looks at the clock do not depend on the data, and a timeline adds few", "[iteration]") {
  std::vector<unsigned> looks;
  for (const bool timeline : {false, true}) {
    for (const std::uint64_t rows : {some_rows, 8 * some_rows}) {
      scripted_job job(rows);
      job.start({.device = device_choice::cpu, .timeline = timeline});
      for (int i = 0; i < 3; ++i) static_cast<void>(job.job->step(job.task()));
      const unsigned before = job.time.looks;
      static_cast<void>(job.job->step(job.task()));
      looks.push_back(job.time.looks - before);
      CHECK(job.job->report().timeline.empty() == !timeline);
    }
  }
  CHECK(looks[0] == looks[1]);
  // Two looks at the clock for each of two workers, and one for the merge.
  CHECK(looks[2] <= looks[0] + 5);
  CHECK(looks[3] <= looks[0] + 5);
}

TEST_CASE("iteration: a job without a timeline says what the start of a device costs", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  job.start_at_once = false;
  job.start();
  job.steps(2);
  REQUIRE(job.job->report().account);
  CHECK_FALSE(job.job->report().account->started);
  CHECK(job.job->report().account->pool > 0);
  CHECK(job.job->report().account->start >= 0.25);
  job.pool_seconds_per_unit = scheduler_iteration_test::per_unit(1e-6);
  job.steps(3);
  CHECK(job.job->report().account->started);
}

}  // namespace duomap::test::scheduler_step_log_test
