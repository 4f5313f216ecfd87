// Tests scheduler/iterative/iteration.hpp: when an iterative job starts its devices, and what its pool does
// meanwhile.
#include "core/iterative_report.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/iterative/scripted_job.hpp"

#include <cstdint>

namespace duomap::test::scheduler_iteration_test {

TEST_CASE("iteration: the pool goes on while devices are started beside its steps", "[iteration]") {
  for (const bool at_once : {true, false}) {
    CAPTURE(at_once);
    scripted_job job(some_rows);
    job.devices.resize(1);
    job.starts_beside = true;
    job.start_at_once = at_once;
    job.pool_seconds_per_unit = per_unit(1e-8);  // 13 ms a step
    job.expected_pool_seconds = 13e-3;
    job.start();
    job.steps(1);
    CHECK(job.starts == (at_once ? 1 : 0));
    CHECK(job.job->report().parts.size() == 1);
    CHECK(job.job->report().notes.size() == (at_once ? 1 : 0));
    job.steps(99);
    CHECK(job.starts == 1);
    const iterative_report told = job.job->report();
    REQUIRE(told.parts.size() == 2);
    CHECK(told.notes.empty());
    CHECK(told.parts[1].share > 0.8);
    // The pool works during the start. If nobody knew that steps would follow, it also works as long as a
    // start takes before the start.
    const double by_pool = told.parts[0].busy_seconds;
    CHECK(by_pool > 0.2);
    CHECK(by_pool < (at_once ? 0.45 : 0.75));
  }
}

TEST_CASE("iteration: steps that outlast the start of devices wait for them", "[iteration]") {
  struct believed {
    double pool_seconds;
    std::uint32_t most_steps;
    bool waits;
  };
  for (const auto& [pool_seconds, most_steps, waits] :
       {believed{0.3, 0, true}, believed{0, 0, true}, believed{13e-3, 100, true},
        believed{13e-3, 10, false}}) {
    CAPTURE(pool_seconds, most_steps);
    scripted_job job(some_rows);
    job.devices.resize(1);
    job.starts_beside = true;
    job.pool_seconds_per_unit = per_unit(1e-8);  // 13 ms a step
    job.expected_pool_seconds = pool_seconds;
    job.start({.steps = {.most = most_steps}});
    job.steps(10);
    CHECK(job.starts == 1);
    CHECK(job.devices[0].steps == (waits ? 10 : 0));
  }
}

}  // namespace duomap::test::scheduler_iteration_test
