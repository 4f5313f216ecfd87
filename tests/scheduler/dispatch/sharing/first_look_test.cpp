// The beginning that pools leave to devices: when it ends and what it shows.
#include "scheduler/dispatch/sharing/first_look.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/sharing/executors.hpp"

namespace duomap::test::scheduler_first_look_test {
namespace {

using scheduler::executor_stage;
using scheduler::executor_table;
using scheduler::first_look;
using scheduler::sharing_options;

const sharing_options looking{.stand_by_seconds = 1, .first_look = true};

}  // namespace

TEST_CASE("first look: pools stand by for the time given, while a device may come", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  const first_look look(all, {.stand_by_seconds = 1});
  CHECK_FALSE(look.looks());
  CHECK(look.ends_at() == 1);
  CHECK(look.pools_stand_by(0));
  CHECK_FALSE(look.pools_stand_by(1));
  all[0].at = executor_stage::declined;
  CHECK_FALSE(look.pools_stand_by(0));
  const executor_table pools({pool_of(4), pool_of(4)});
  CHECK_FALSE(first_look(pools, looking).pools_stand_by(0));
}

TEST_CASE("first look: some workers of an unknown pool take a grain first", "[dispatch]") {
  auto pool = pool_of(4);
  pool.idle = 3;
  const executor_table all({device_of(), pool});
  CHECK(first_look(all, looking).probes(all[1]) == 1);
  CHECK(first_look(all, {.stand_by_seconds = 1}).probes(all[1]) == 0);
  all[1].rate.add(1, 1e-3);
  CHECK(first_look(all, looking).probes(all[1]) == 0);
  pool.idle = 5;
  const executor_table busy({device_of(), pool});
  CHECK(first_look(busy, looking).probes(busy[1]) == 1);
}

TEST_CASE("first look: it ends when three chunks of each device after its first three were seen",
          "[dispatch]") {
  const executor_table all({device_of(), device_of(), pool_of(4)});
  first_look look(all, looking);
  all[2].rate.add(1, 1e-3);
  double now = 0;
  const auto chunk = [&](unsigned device) {
    now += 1e-3;
    return look.chunk_ended(device, {0, 100}, now);
  };
  for (int i = 0; i < 6; ++i) {
    CHECK_FALSE(look.saw(0));
    CHECK_FALSE(chunk(0));
  }
  CHECK(look.saw(0));
  CHECK(all[0].trial.over());  // its pace is known now
  CHECK_FALSE(all[1].trial.over());
  CHECK(look.pools_stand_by(now));
  for (int i = 0; i < 5; ++i) CHECK_FALSE(chunk(1));
  CHECK(chunk(1));
  CHECK_FALSE(look.pools_stand_by(now));
  CHECK(look.seconds_per_grain(0) == Approx((3e-3 - 3 * 1e-5) / 300));
}

TEST_CASE("first look: it does not end before a pool has ended a grain", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  first_look look(all, looking);
  for (int i = 1; i <= 10; ++i) CHECK_FALSE(look.chunk_ended(0, {0, 100}, i * 1e-3));
  all[1].rate.add(1, 1e-3);
  CHECK(look.chunk_ended(0, {0, 100}, 11e-3));
}

TEST_CASE("first look: where nothing is to be seen trials go on, and nothing ends early", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  first_look look(all, {.stand_by_seconds = 1});
  all[1].rate.add(1, 1e-3);
  for (int i = 1; i <= 10; ++i) CHECK_FALSE(look.chunk_ended(0, {0, 100}, i * 1e-3));
  CHECK_FALSE(all[0].trial.over());
  CHECK(look.pools_stand_by(0.5));
}

TEST_CASE("first look: chunks after the time that was given are not of it", "[dispatch]") {
  const executor_table all({device_of(), pool_of(4)});
  first_look look(all, looking);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(look.chunk_ended(0, {0, 100}, 2));
  CHECK_FALSE(look.saw(0));
}

}  // namespace duomap::test::scheduler_first_look_test
