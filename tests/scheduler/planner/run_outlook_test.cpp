// Tests facts about a run that the planner needs: its idle workers and where its data lies.
#include "scheduler/planner/run_outlook.hpp"

#include "scheduler/planner/plan_run.hpp"
#include "tests/catch.hpp"

#include <string>

namespace duomap::test::scheduler_run_outlook_test {

using scheduler::run_outlook;

TEST_CASE("feeding, driving and mapping together take no more threads than there are cores", "[planner]") {
  // The arguments are workers, cores, devices, and the threads that feed each device.
  const auto idle = [](unsigned workers, unsigned cores, unsigned devices, unsigned threads) {
    return scheduler::idle_workers(workers, cores, devices * (threads + 1));
  };
  CHECK(idle(16, 16, 0, 10) == 0);
  CHECK(idle(16, 16, 1, 10) == 11);
  CHECK(idle(16, 16, 1, 7) == 8);
  CHECK(idle(5, 16, 1, 10) == 0);
  CHECK(idle(64, 64, 4, 10) == 44);
  CHECK(idle(2, 2, 1, 1) == 2);
  CHECK(idle(1, 1, 1, 1) == 1);
  CHECK(idle(4, 1, 8, 1) == 4);
}

TEST_CASE("where its data are is a part of a task's name", "[planner]") {
  run_outlook outlook{.direct_bytes = 1};
  CHECK(std::string(scheduler::data_home(outlook)) == "addressable");
  outlook.in_place = true;
  CHECK(std::string(scheduler::data_home(outlook)) == "page-locked");
  outlook.direct_bytes = 0;
  CHECK(std::string(scheduler::data_home(outlook)) == "streamed");
}

}  // namespace duomap::test::scheduler_run_outlook_test
