// Tests which workers are throttled for a device, and when they are called back.
#include "scheduler/dispatch/dispatcher/contention_control.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <cstdint>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_contention_control_test {
namespace {

using scheduler::contention_control;
using scheduler::contention_search;
using scheduler::contention_search_of;
using scheduler::dispatch_options;
using scheduler::dispatch_rule;
using scheduler::executor_config;
using scheduler::executor_stage;
using scheduler::executor_table;
using scheduler::finish_estimator;
using scheduler::solo_warm_up;

struct synthetic {
  explicit synthetic(const std::vector<executor_config>& some, const dispatch_options& how = {})
    : all(some),
      co_run(contention_search_of(some, how.rule)),
      warm_up(all, how),
      estimates(all, co_run),
      contention(all, estimates, warm_up, co_run, how) {}

  // Asks each worker of a pool once whether it takes part, and returns how many do. `in` has the answers,
  // before and after.
  unsigned after_a_turn(unsigned pool, std::vector<bool>& in, double now) {
    unsigned count = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = contention.may_claim(pool, in[i], 1000, now);
      count += in[i] ? 1U : 0U;
    }
    return count;
  }

  executor_table all;
  contention_search co_run;
  solo_warm_up warm_up;
  finish_estimator estimates;
  contention_control contention;
};

executor_config pool_with_idle(unsigned workers, unsigned idle, double seconds_per_grain = 1e-3) {
  auto one = pool_of(workers, seconds_per_grain);
  one.idle = idle;
  return one;
}

}  // namespace

TEST_CASE("contention control: the share to begin with is that of all pools, and what is remembered counts",
          "[dispatch]") {
  CHECK(contention_search_of({device_of(1e-6), pool_with_idle(4, 2), pool_with_idle(4, 8)},
                             dispatch_rule::converging)
            .share(0) == Approx(0.25));
  auto pool = pool_with_idle(8, 0);
  pool.model.co_run_share = 0.25;
  CHECK(contention_search_of({device_of(1e-6), pool}, dispatch_rule::converging).share(0) == Approx(0.25));
  CHECK(contention_search_of({device_of(1e-6), pool}, dispatch_rule::split).share(0) == 1);
  pool.model.trusted = false;
  CHECK(contention_search_of({device_of(1e-6), pool}, dispatch_rule::converging).share(0) == 1);
}

TEST_CASE("contention control: without devices no worker is throttled", "[dispatch]") {
  synthetic run({pool_with_idle(4, 4), pool_with_idle(4, 4)});
  std::vector<bool> in(4, false);
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(run.contention.may_claim(0, in[i], 1000, 0));
}

TEST_CASE("contention control: as many workers as are good take part while a device is at work",
          "[dispatch]") {
  synthetic run({device_of(1e-3), pool_with_idle(4, 3)});
  std::vector<bool> in(4, false);
  run.all[0].at = executor_stage::declined;
  CHECK(run.after_a_turn(1, in, 0) == 4);
  hold(run.all[0], 100);
  CHECK(run.after_a_turn(1, in, 0) == 1);
  CHECK(run.after_a_turn(1, in, 0) == 1);
  CHECK(run.after_a_turn(1, in, 10) == 4);  // after 10 s the device seems to hang
  // Few grains are left: at most one for each worker.
  CHECK(run.contention.may_claim(1, true, 4, 0));
}

TEST_CASE("contention control: reserved workers are throttled until all devices are started", "[dispatch]") {
  synthetic run({device_of(1e-2), device_of(1e-2), pool_with_idle(4, 0)}, {.reserved = 1});
  std::vector<bool> in(4, false);
  run.all[0].start_seconds = 0.2;
  for (const auto stage : {executor_stage::cold, executor_stage::declined, executor_stage::starting}) {
    run.all[0].at = stage;
    run.all[1].at = executor_stage::ready;
    CHECK(run.after_a_turn(2, in, 20) == 3);
  }
  run.all[0].start_seconds = 1e-3;  // the device has started and was declined
  CHECK(run.after_a_turn(2, in, 20) == 4);
  run.all[0].start_seconds = 0.2;
  run.all[0].at = executor_stage::ready;
  CHECK(run.after_a_turn(2, in, 20) == 4);
  synthetic most({device_of(1e-2), pool_with_idle(4, 0)}, {.reserved = 9});
  most.all[0].at = executor_stage::starting;
  most.all[0].start_seconds = 0.2;
  std::vector<bool> one(4, false);
  CHECK(most.after_a_turn(1, one, 20) == 1);
}

TEST_CASE("contention control: a pool that is slower than the device leaves it to begin", "[dispatch]") {
  synthetic run({device_of(1e-6), pool_with_idle(4, 3)});
  std::vector<bool> in(4, false);
  CHECK(run.after_a_turn(1, in, 0) == 1);
  synthetic other({device_of(1e-2), pool_with_idle(4, 3)});
  std::vector<bool> all_in(4, false);
  CHECK(other.after_a_turn(1, all_in, 0) == 4);
}

TEST_CASE("contention control: pools that are held back send as many workers as the warm-up asks for",
          "[dispatch]") {
  synthetic run({device_of(), pool_with_idle(4, 1, 0)}, {.hold_back_seconds = 1, .solo_warm_up = true});
  std::vector<bool> in(4, false);
  CHECK(run.after_a_turn(1, in, 0) == 3);
  run.all[1].rate.add(1, 1e-3);
  CHECK(run.after_a_turn(1, in, 0) == 0);
  CHECK(run.contention.next_turn(0) == Approx(scheduler::dispatch_thresholds::recheck_seconds));
  CHECK(run.contention.next_turn(0.999) == Approx(1));
}

TEST_CASE("contention control: workers are called once when a device has nothing more to do", "[dispatch]") {
  synthetic run({device_of(1e-3), pool_with_idle(4, 3)});
  CHECK_FALSE(run.contention.calls_workers());
  hold(run.all[0], 0);
  run.contention.device_waits(0);
  CHECK_FALSE(run.contention.calls_workers());  // no worker was throttled for this device
  run.contention.device_claimed(0, {.free_grains = 1000});
  run.all[0].open = 10;
  run.contention.device_waits(0);
  CHECK_FALSE(run.contention.calls_workers());
  run.all[0].open = 0;
  run.contention.device_waits(0);
  CHECK(run.contention.calls_workers());
  run.contention.device_waits(0);
  CHECK_FALSE(run.contention.calls_workers());
}

TEST_CASE("contention control: what was done alone is measured apart", "[dispatch]") {
  synthetic run({device_of(1e-3), pool_with_idle(4, 0)});
  run.contention.pool_chunk_ended(1, 1, 1e-3, 0);
  CHECK(run.all[1].rate.measured_solo().samples() == 1);
  hold(run.all[0], 100);
  run.contention.pool_chunk_ended(1, 1, 1e-3, 0);
  CHECK(run.all[1].rate.measured_solo().samples() == 1);
  // A device's solo rate counts from the second chunk that ends while no other executor works.
  run.contention.device_chunk_ended(0, 10, 1e-2, {});
  CHECK(run.all[0].rate.measured_solo().samples() == 0);
  run.contention.device_chunk_ended(0, 10, 1e-2, {});
  CHECK(run.all[0].rate.measured_solo().samples() == 1);
  REQUIRE(run.contention.may_claim(1, false, 1000, 0));
  run.contention.device_chunk_ended(0, 10, 1e-2, {});
  CHECK(run.all[0].rate.measured_solo().samples() == 1);
}

TEST_CASE("contention control: an unknown machine is explored, with the device alone first", "[dispatch]") {
  auto gpu = device_of(1e-4);
  gpu.model.trusted = false;
  synthetic run({gpu, pool_with_idle(4, 3, 1e-4)});
  CHECK_FALSE(run.contention.explores());
  run.all[0].ramp.spare(0);
  run.contention.device_claimed(0, {.free_grains = 10'000});
  CHECK(run.contention.explores());
  CHECK(run.co_run.share(0) == 0);
  hold(run.all[0], 100);
  std::vector<bool> in(4, true);
  CHECK_FALSE(run.contention.may_claim(1, false, 1000, 0));
  CHECK(run.contention.next_turn(0) == Approx(scheduler::dispatch_thresholds::recheck_seconds));
  // The solo time ends after some measured chunks. Chunks that the device already held do not count.
  int chunks = 0;
  while (!run.contention.calls_workers() && ++chunks < 100)
    run.contention.device_chunk_ended(0, 100, 0.01, {.now = chunks * 1e-3, .free_grains = 9000});
  CHECK(chunks == 7);
  CHECK(run.co_run.share(chunks * 1e-3) == Approx(0.25));
}

// The thread sanitizer checks this test.
TEST_CASE("contention control: no more workers take part than may, however many ask at once", "[dispatch]") {
  synthetic run({device_of(1.0), pool_with_idle(8, 6)});
  hold(run.all[0], 1000);
  std::vector<char> in(8, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < in.size(); ++i) {
      threads.emplace_back([&, i] {
        for (int turn = 0; turn < 1000; ++turn)
          in[i] = run.contention.may_claim(1, in[i] != 0, 1000, 0) ? 1 : 0;
      });
    }
  }
  int count = 0;
  for (const char one : in) count += one;
  CHECK(count == 2);
}

}  // namespace duomap::test::scheduler_contention_control_test
