// Tests scheduler/dispatch/dispatcher/grain_dispatcher.cpp with failing devices in simulated time: every
// grain is committed once, and no worker waits for ever.
#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::scheduler_faults_test {
namespace {

simulated_executor pool(double grain_seconds, unsigned workers) {
  simulated_executor one;
  one.name = "pool";
  one.workers = workers;
  one.grain_seconds = grain_seconds;
  return one;
}

simulated_executor device(double grain_seconds) {
  simulated_executor one;
  one.name = "device";
  one.device = true;
  one.depth = 3;
  one.most_grains = 256;
  one.grain_seconds = grain_seconds;
  one.copy_seconds = grain_seconds / 2;
  one.claim_seconds = 10e-6;
  one.end_seconds = 50e-6;
  return one;
}

void check_all_done(const simulated_run& run) {
  CHECK(run.wrong_grains == 0);
  CHECK_FALSE(run.hung);
}

const std::vector<simulated_executor> both{device(2e-6), pool(100e-6, 8)};
constexpr std::uint32_t grains = 20'000;

}  // namespace

TEST_CASE("faults: a device that is lost gives back what it had not committed", "[faults]") {
  const double solo = simulate(grains, {both[1]}).seconds;
  for (const std::uint64_t chunk : {0U, 1U, 2U, 10U, 30U}) {
    auto executors = both;
    executors[0].fails_at_chunk = chunk;
    const simulated_run run = simulate(grains, executors);
    CAPTURE(chunk, run.seconds);
    check_all_done(run);
    CHECK(run.grains[0] == 0);  // the device would commit at its end
    CHECK(run.seconds <= 1.1 * solo);
  }
}

TEST_CASE("faults: a device that is lost in a commit has not committed", "[faults]") {
  auto executors = both;
  executors[0].fails_at_commit = 0;
  const simulated_run run = simulate(grains, executors);
  check_all_done(run);
  CHECK(run.grains[0] == 0);
  CHECK(run.grains[1] == grains);
}

TEST_CASE("faults: what a long run has committed is not done again", "[faults]") {
  auto executors = both;
  executors[0].fails_at_chunk = 5000;
  executors[0].most_grains = 256;
  const std::uint32_t many = 4'000'000;
  const simulated_run run = simulate(many, executors);
  check_all_done(run);
  CHECK(run.grains[0] > 0);
  // The device commits once a second. A failure loses at most the 500,000 grains of a second, and a tenth of
  // that, which it finishes during the commit.
  const std::uint64_t finished = run.chunks[0] * 256;
  CHECK(finished - std::min(finished, run.grains[0]) <= 550'000);
}

TEST_CASE("faults: a device that cannot start takes no grains along", "[faults]") {
  auto executors = both;
  executors[0].fails_to_start = true;
  executors[0].start_seconds = 0.01;
  const simulated_run run = simulate(grains, executors);
  check_all_done(run);
  CHECK(run.grains[1] == grains);
}

TEST_CASE("faults: out of memory makes claims smaller, then fewer at a time", "[faults]") {
  for (const std::uint32_t memory : {1U, 2U, 7U, 50U, 300U}) {
    auto executors = both;
    executors[0].memory_grains = memory;
    const simulated_run run = simulate(grains, executors);
    CAPTURE(memory, run.seconds);
    check_all_done(run);
    CHECK(run.grains[0] > 0);
    CHECK(simulate(grains, {executors[0]}).wrong_grains == 0);  // also without the pool
  }
}

TEST_CASE("faults: a device without memory for one grain is left out", "[faults]") {
  auto executors = both;
  executors[0].memory_grains = 0;
  const simulated_run run = simulate(grains, executors);
  check_all_done(run);
  CHECK(run.grains[0] == 0);
  const simulated_run solo = simulate(grains, {executors[0]});
  CHECK(solo.failed);
  CHECK_FALSE(solo.hung);
}

TEST_CASE("faults: what a device keeps for too long is done elsewhere, and counts once", "[faults]") {
  for (const std::uint64_t chunk : {0U, 1U, 20U}) {
    auto executors = both;
    executors[0].stalls_at_chunk = chunk;
    const simulated_run run = simulate(grains, executors);
    CAPTURE(chunk, run.seconds);
    check_all_done(run);
    CHECK(run.seconds < 10);  // the device wakes up only after an hour
  }
  auto executors = both;
  executors[0].stalls_at_commit = 0;
  const simulated_run run = simulate(grains, executors);
  check_all_done(run);
  CHECK(run.seconds < 40);
}

TEST_CASE("faults: chunks that a device has not begun are taken back when it becomes slow", "[faults]") {
  auto executors = both;
  executors[0].depth = 6;
  executors[0].most_grains = 2000;
  executors[0].copy_seconds = 2e-6;
  executors[0].grain_seconds = 1e-6;
  executors[0].claim_seconds = 1e-3;
  executors[0].slow_after = 0.3;
  executors[0].slow_factor = 100;
  const simulated_run with = simulate(grains, executors);
  executors[0].can_give_back = false;
  const simulated_run without = simulate(grains, executors);
  CAPTURE(with.seconds, without.seconds, with.taken_back);
  check_all_done(with);
  check_all_done(without);
  CHECK(with.taken_back > 0);
  CHECK(without.taken_back == 0);
  CHECK(with.seconds < without.seconds);
}

TEST_CASE("faults: the last executor that is lost ends the run", "[faults]") {
  auto one = device(2e-6);
  one.fails_at_chunk = 3;
  auto other = device(3e-6);
  other.fails_at_chunk = 5;
  const simulated_run run = simulate(grains, {one, other});
  CHECK(run.failed);
  CHECK_FALSE(run.hung);
  CHECK(run.wrong_grains > 0);
}

TEST_CASE("faults: devices stand in for each other", "[faults]") {
  for (const std::size_t failed : {0U, 1U}) {
    std::vector<simulated_executor> executors{device(2e-6), device(2e-6)};
    executors[failed].fails_at_chunk = 4;
    const simulated_run run = simulate(grains, executors);
    check_all_done(run);
    CHECK(run.grains[1 - failed] == grains);
  }
}

TEST_CASE("faults: a split set beforehand survives a loss as well", "[faults]") {
  auto executors = both;
  executors[0].fails_at_chunk = 4;
  const scheduler::dispatch_options half{.rule = scheduler::dispatch_rule::split, .shares = {0.5, 0.5}};
  check_all_done(simulate(grains, executors, {}, half));
  executors[0].fails_at_chunk = never;
  executors[0].memory_grains = 0;
  check_all_done(simulate(grains, executors, {}, half));
}

TEST_CASE("faults: executors that rely on each other do not wake each other without end", "[faults]") {
  // The pool's first grains take longer than the solo warm-up suggests. The device then expects the pool to
  // be faster, and the workers expect the device to be faster.
  auto gpu = device(3e-6);
  gpu.depth = 1;
  gpu.copy_seconds = 3e-6;
  auto cpu = pool(7.5e-3, 16);
  cpu.idle = 12;
  for (auto* one : {&gpu, &cpu}) {
    one->believed = one->truth();
    one->believed->seconds_per_grain = 0;
  }
  const simulated_run run = simulate(2000, {gpu, cpu}, {}, {.hold_back_seconds = 5e-3, .solo_warm_up = true});
  CAPTURE(run.seconds, run.steps);
  check_all_done(run);
  CHECK(run.steps < 100'000);
}

TEST_CASE("faults: a thousand runs with random faults, none wrong and none hung", "[faults]") {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> exponent(-6.5, -3.5);
  const auto some_time = [&] {
    return std::pow(10, exponent(random));
  };
  const auto one_in = [&](unsigned n) {
    return random() % n == 0;
  };
  std::uint64_t losses = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<simulated_executor> executors;
    const bool with_pool = !one_in(5);
    if (with_pool) executors.push_back(pool(10 * some_time(), 1 + static_cast<unsigned>(random() % 16)));
    for (std::size_t devices = 1 + random() % 3; devices > 0; --devices) {
      auto one = device(some_time());
      one.depth = 1 + static_cast<unsigned>(random() % 4);
      one.most_grains = 1 + static_cast<std::uint32_t>(random() % 500);
      one.end_seconds = some_time();
      one.start_seconds = one_in(2) ? 0 : 100 * some_time();
      if (one_in(3)) one.fails_at_chunk = random() % 40;
      if (one_in(8)) one.fails_at_commit = 0;
      if (one_in(6)) one.stalls_at_chunk = random() % 40;
      if (one_in(10)) one.stalls_at_commit = 0;
      if (one_in(4)) one.memory_grains = static_cast<std::uint32_t>(random() % 200);
      if (one_in(10)) one.fails_to_start = true;
      if (one_in(3)) {
        one.slow_factor = static_cast<double>(2 + random() % 50);
        one.slow_after = static_cast<double>(random() % 100) / 100;
      }
      if (one_in(2)) {
        one.believed = one.truth();
        one.believed->seconds_per_grain = one_in(2) ? 0 : some_time();
        one.believed->trusted = one_in(2);
      }
      executors.push_back(one);
    }
    std::shuffle(executors.begin(), executors.end(), random);
    const auto count = static_cast<std::uint32_t>(1 + random() % 20'000);
    scheduler::dispatch_options how;
    how.rule = static_cast<scheduler::dispatch_rule>(random() % 2);
    if (how.rule == scheduler::dispatch_rule::split)
      how.shares.assign(executors.size(), 1 / static_cast<double>(executors.size()));
    const simulated_run run = simulate(count, executors, {}, how);
    CAPTURE(round, count, executors.size(), with_pool, static_cast<int>(how.rule), run.seconds, run.steps);
    REQUIRE_FALSE(run.hung);
    // Without a pool, no executor may be left. The run must then fail; it must not give a wrong answer.
    if (with_pool || !run.failed) REQUIRE(run.wrong_grains == 0);
    if (run.failed) ++losses;
    // Without a pool, the run waits for a stalled device.
    if (with_pool) REQUIRE(run.seconds < 200);
  }
  CHECK(losses < 300);
}

}  // namespace duomap::test::scheduler_faults_test
