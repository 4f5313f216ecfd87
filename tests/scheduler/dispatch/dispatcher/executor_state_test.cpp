// Tests the states of executors: which take part, which are at work, which can do with less memory.
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <stdexcept>
#include <vector>

namespace duomap::test::scheduler_executor_state_test {

using scheduler::executor_config;
using scheduler::executor_stage;
using scheduler::executor_state;
using scheduler::executor_table;

TEST_CASE("executor state: pools are ready, devices are not, and those that are gone take no part",
          "[dispatch]") {
  const executor_table all({device_of(1e-6), pool_of(4)});
  executor_state& gpu = all[0];
  CHECK(gpu.at == executor_stage::cold);
  CHECK(all[1].at == executor_stage::ready);
  CHECK_FALSE(all[1].is_expected());
  for (const auto at : {executor_stage::cold, executor_stage::starting, executor_stage::ready}) {
    gpu.at = at;
    CHECK(gpu.takes_part());
    CHECK(gpu.is_expected());
  }
  gpu.at = executor_stage::declined;
  CHECK(gpu.takes_part());
  CHECK_FALSE(gpu.is_expected());
  for (const auto at : {executor_stage::out_of_memory, executor_stage::failed}) {
    gpu.at = at;
    CHECK_FALSE(gpu.takes_part());
    CHECK_FALSE(all.others_take_part(1));
    CHECK(all.others_take_part(0));
  }
  CHECK(gpu.has_failed());
}

TEST_CASE("executor state: a device with grains in hand is at work until it seems to hang", "[dispatch]") {
  const executor_table all({device_of(1e-5), pool_of(4)});
  executor_state& gpu = all[0];
  CHECK_FALSE(all.devices_at_work(0));
  hold(gpu, 1000);
  CHECK(all.devices_at_work(0.039));  // the limit is 10 ms for the grains and a claim, times four
  CHECK_FALSE(all.devices_at_work(0.041));
  gpu.open = 1;
  CHECK(all.devices_at_work(0.009));  // so short a wait is never a hang
  gpu.open = 0;
  CHECK_FALSE(all.devices_at_work(0));
  all[1].open = 10;
  CHECK_FALSE(all[1].at_work(0));
}

TEST_CASE("executor state: a device of unknown rate is at work as long as its ramp is left alone",
          "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  hold(all[0], 10);
  CHECK_FALSE(all[0].at_work(0));
  REQUIRE(all[0].ramp.next({.left = 10'000, .most = 1000, .others_seconds = 1, .now = 0}));
  CHECK(all[0].at_work(0));
  CHECK_FALSE(all[0].at_work(all[0].ramp.solo_until()));
}

TEST_CASE("executor state: a device begins until it was measured, if it need not be started for long",
          "[dispatch]") {
  const executor_table warm({device_of(1e-6), pool_of(4)});
  CHECK(warm[0].begins(0));
  CHECK_FALSE(warm[0].begins(1));
  CHECK_FALSE(warm[1].begins(0));
  warm[0].rate.add(10, 1e-5);
  CHECK_FALSE(warm[0].begins(0));
  const executor_table cold({device_of(1e-6, 0.2), pool_of(4)});
  CHECK_FALSE(cold[0].begins(0));
}

TEST_CASE("executor state: without memory claims become smaller, then fewer, then there are none",
          "[dispatch]") {
  const executor_table all({device_of(1e-6)});
  executor_state& gpu = all[0];
  CHECK(gpu.take_less(9, false));
  CHECK(gpu.most == 4);
  CHECK(gpu.take_less(1, false));
  CHECK(gpu.depth == 2);
  CHECK(gpu.take_less(1, false));
  CHECK(gpu.depth == 1);
  CHECK(gpu.take_less(1, false));  // the device's other open chunks may have filled its memory
  CHECK_FALSE(gpu.take_less(1, true));
  CHECK(gpu.at == executor_stage::out_of_memory);
}

TEST_CASE("executor table: it knows what kinds of executors there are", "[dispatch]") {
  CHECK(executor_table({pool_of(4)}).lone_pool());
  CHECK_FALSE(executor_table({device_of()}).lone_pool());
  CHECK_FALSE(executor_table({pool_of(4), pool_of(4)}).lone_pool());
  CHECK(executor_table({device_of(), pool_of(4)}).mixed());
  CHECK_FALSE(executor_table({device_of(), device_of()}).mixed());
  const executor_table all({device_of(), pool_of(4), pool_of(2)});
  hold(all[0], 100);
  all[1].open = 3;
  all[2].open = 4;
  CHECK(all.open_in_pools() == 7);
}

TEST_CASE("executor table: a device has one worker, and there are 32 executors at most", "[dispatch]") {
  auto two = device_of();
  two.workers = 2;
  CHECK_THROWS_AS(executor_table({two}), std::logic_error);
  CHECK_THROWS_AS(executor_table(std::vector<executor_config>(33, pool_of(1))), std::logic_error);
}

}  // namespace duomap::test::scheduler_executor_state_test
