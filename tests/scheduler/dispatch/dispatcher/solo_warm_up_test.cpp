// Tests the solo warm-up: when it ends, and the rates that it finds.
#include "scheduler/dispatch/dispatcher/solo_warm_up.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

namespace duomap::test::scheduler_solo_warm_up_test {
namespace {

using scheduler::dispatch_options;
using scheduler::executor_stage;
using scheduler::executor_table;
using scheduler::solo_warm_up;

const dispatch_options looking{.hold_back_seconds = 1, .solo_warm_up = true};

}  // namespace

TEST_CASE("solo warm-up: pools are held back for the time given, while a device may come", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  const solo_warm_up warm_up(all, {.hold_back_seconds = 1});
  CHECK_FALSE(warm_up.looks());
  CHECK(warm_up.ends_at() == 1);
  CHECK(warm_up.pools_held_back(0));
  CHECK_FALSE(warm_up.pools_held_back(1));
  all[0].at = executor_stage::declined;
  CHECK_FALSE(warm_up.pools_held_back(0));
  const executor_table pools({pool_of(4), pool_of(4)});
  CHECK_FALSE(solo_warm_up(pools, looking).pools_held_back(0));
}

TEST_CASE("solo warm-up: some workers of an unknown pool take a grain first", "[dispatch]") {
  auto pool = pool_of(4);
  pool.idle = 3;
  const executor_table all({device_of(), pool});
  CHECK(solo_warm_up(all, looking).probes(all[1]) == 1);
  CHECK(solo_warm_up(all, {.hold_back_seconds = 1}).probes(all[1]) == 0);
  all[1].rate.add(1, 1e-3);
  CHECK(solo_warm_up(all, looking).probes(all[1]) == 0);
  pool.idle = 5;
  const executor_table busy({device_of(), pool});
  CHECK(solo_warm_up(busy, looking).probes(busy[1]) == 1);
}

TEST_CASE("solo warm-up: it ends when three chunks of each device after its first three were seen",
          "[dispatch]") {
  const executor_table all({device_of(), device_of(), pool_of(4)});
  solo_warm_up warm_up(all, looking);
  all[2].rate.add(1, 1e-3);
  double now = 0;
  const auto chunk = [&](unsigned device) {
    now += 1e-3;
    return warm_up.chunk_ended(device, {0, 100}, now);
  };
  for (int i = 0; i < 6; ++i) {
    CHECK_FALSE(warm_up.saw(0));
    CHECK_FALSE(chunk(0));
  }
  CHECK(warm_up.saw(0));
  CHECK(all[0].ramp.over());  // the device's rate is known now
  CHECK_FALSE(all[1].ramp.over());
  CHECK(warm_up.pools_held_back(now));
  for (int i = 0; i < 5; ++i) CHECK_FALSE(chunk(1));
  CHECK(chunk(1));
  CHECK_FALSE(warm_up.pools_held_back(now));
  CHECK(warm_up.seconds_per_grain(0) == Approx((3e-3 - 3 * 1e-5) / 300));
}

TEST_CASE("solo warm-up: it does not end before a pool has ended a grain", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  solo_warm_up warm_up(all, looking);
  for (int i = 1; i <= 10; ++i) CHECK_FALSE(warm_up.chunk_ended(0, {0, 100}, i * 1e-3));
  all[1].rate.add(1, 1e-3);
  CHECK(warm_up.chunk_ended(0, {0, 100}, 11e-3));
}

TEST_CASE("solo warm-up: where nothing is to be seen ramps go on, and nothing ends early", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  solo_warm_up warm_up(all, {.hold_back_seconds = 1});
  all[1].rate.add(1, 1e-3);
  for (int i = 1; i <= 10; ++i) CHECK_FALSE(warm_up.chunk_ended(0, {0, 100}, i * 1e-3));
  CHECK_FALSE(all[0].ramp.over());
  CHECK(warm_up.pools_held_back(0.5));
}

TEST_CASE("solo warm-up: chunks after the time that was given are not of it", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  solo_warm_up warm_up(all, looking);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(warm_up.chunk_ended(0, {0, 100}, 2));
  CHECK_FALSE(warm_up.saw(0));
}

}  // namespace duomap::test::scheduler_solo_warm_up_test
