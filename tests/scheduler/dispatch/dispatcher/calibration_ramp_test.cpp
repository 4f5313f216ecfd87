// Tests the calibration ramp: the first chunks of devices of unknown speed, and the speed that it finds.
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulated_machine.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap::test::scheduler_calibration_ramp_test {
namespace {

// An H200 in the first run of a process. The first chunks also start the threads that feed it and lock their
// memory. Each chunk costs 0.3 ms, three times as much as expected.
simulated_executor first_time(double start_seconds) {
  simulated_executor one = device();
  one.depth = 6;
  one.claim_seconds = 300e-6;
  one.start_seconds = start_seconds;
  one.first_copies = {14e-3, 6e-3, 4e-3};
  one.believed = one.truth();
  one.believed->claim_seconds = 100e-6;
  one.believed->seconds_per_grain = 0;
  return one;
}

simulated_executor crowded(simulated_executor pool) {
  pool.idle = 11;
  return pool;
}

constexpr double seldom_behind = 1.10;

}  // namespace

TEST_CASE("calibration ramp: what a device's first chunks cost once is not taken for its rate", "[bars]") {
  for (const double start : {0.4e-3, 0.235}) {
    for (const std::uint32_t grains : {grains_of_4_gib, 3 * grains_of_4_gib}) {
      const auto pool = crowded(cores(5.8e9));
      const simulated_run first = simulate(grains, {first_time(start), unknown(pool)});
      auto settled = first_time(0);
      settled.first_copies.clear();
      settled.believed.reset();
      const double solo = simulate(grains, {settled}).seconds;
      CAPTURE(start, grains, first.seconds, solo, first.grains[0], first.chunks[0]);
      check_right(first);
      // The first chunks cost 24 ms more; meanwhile the pool works at full speed.
      CHECK(first.seconds <= start + 0.024 + seldom_behind * solo);
    }
  }
}

TEST_CASE(
    "calibration ramp: a device that is known and has to be started is not left out for its first chunks",
    "[bars]") {
  auto gpu = first_time(0.22);
  gpu.first_copies = {70e-3, 10e-3, 8e-3, 15e-3};
  gpu.believed = gpu.truth();
  const auto pool = crowded(cores(7e9));
  const simulated_run run = simulate(3 * grains_of_4_gib, {gpu, pool});
  CAPTURE(run.seconds, run.grains[0], run.chunks[0]);
  check_right(run);
  CHECK(run.seconds <= 0.22 + 0.103 + 1.1 * simulate(3 * grains_of_4_gib, {device()}).seconds);
}

TEST_CASE("calibration ramp: a device whose first chunks outlast what it has alone is still seen alone",
          "[bars]") {
  // An H200 starts while 16 workers run. The workers slow its copies down until they leave their cores.
  for (const double once : {12e-3, 20e-3, 30e-3}) {
    auto gpu = first_time(0.2);
    gpu.first_copies = {once, 2e-3, 2e-3};
    gpu.slowed_by_worker = 0.15;
    const auto pool = crowded(cores(7.3e9));
    const simulated_run run = simulate(grains_of_4_gib, {gpu, unknown(pool)});
    auto settled = gpu;
    settled.start_seconds = 0;
    settled.first_copies.clear();
    settled.believed.reset();
    const double solo = simulate(grains_of_4_gib, {settled}).seconds;
    CAPTURE(once, run.seconds, solo, run.grains[0], run.chunks[0]);
    check_right(run);
    // The pool does a third of the run before the device is ready. The device does most of the rest.
    CHECK(run.seconds <= 0.2 + once + 0.06 + seldom_behind * 0.7 * solo);
  }
}

TEST_CASE("calibration ramp: a ramp of a short run costs little and is not in vain", "[bars]") {
  // Runs of 16 and 128 MiB; the first chunk of each takes longer.
  for (const double once : {0.0, 1e-3, 5e-3}) {
    for (const std::uint32_t grains : {256U, 2048U}) {
      for (const double rate : {0.6e9, 3.6e9, 13e9}) {
        auto gpu = first_time(0.1e-3);
        gpu.first_copies = {once};
        const auto pool = crowded(cores(rate));
        const simulated_run run = simulate(grains, {gpu, pool});
        const double pool_solo = simulate(grains, {pool}).seconds;
        CAPTURE(once, grains, rate, run.seconds, pool_solo, run.grains[0]);
        check_right(run);
        CHECK(run.seconds <= 1.03 * pool_solo + 1e-3);
        // The limit is four times the device's own time, plus the cost of its first chunks.
        if (pool_solo > 30e-3) CHECK(run.seconds <= 16e-3 + 2 * once);
      }
    }
  }
}

TEST_CASE("calibration ramp: a device that is believed to be far slower than it is gets another ramp",
          "[bars]") {
  for (const double wrong : {10.0, 100.0, 1000.0}) {
    auto gpu = device();
    gpu.claim_seconds = 100e-6;
    gpu.believed = gpu.truth();
    gpu.believed->seconds_per_grain *= wrong;
    const auto pool = crowded(cores(5.8e9));
    for (const std::uint32_t grains : {4096U, grains_of_4_gib, 3 * grains_of_4_gib}) {
      const simulated_run run = simulate(grains, {gpu, pool});
      const double solo = simulate(grains, {device()}).seconds;
      CAPTURE(wrong, grains, run.seconds, solo, run.grains[0]);
      check_right(run);
      // The device starts 20 ms late. A run of 46 ms is too short for a device that seems to need 0.14 ms for
      // a grain.
      CHECK(run.seconds <= std::max(1.15 * solo + 25e-3, 1.02 * simulate(grains, {pool}).seconds));
    }
  }
}

TEST_CASE("calibration ramp: a lone device is not tried", "[bars]") {
  auto gpu = device();
  gpu.claim_seconds = 100e-6;
  for (const std::uint32_t grains : {16U, 256U, 2048U, grains_of_4_gib}) {
    const double known = simulate(grains, {gpu}).seconds;
    const simulated_run run = simulate(grains, {unknown(gpu)});
    CAPTURE(grains, run.seconds, known, run.chunks[0]);
    check_right(run);
    CHECK(run.seconds <= 1.20 * known);
  }
}

TEST_CASE("calibration ramp: one that is as slow as it looked costs the others little", "[bars]") {
  for (const double slower : {2.0, 4.0, 16.0}) {
    auto slow = device();
    slow.claim_seconds = 100e-6;
    slow.copy_seconds = 65536 / 9e9;  // as fast as the whole pool
    slow.grain_seconds = slower * slow.copy_seconds;
    auto pool = crowded(cores());
    for (const std::uint32_t grains : {256U, 4096U, grains_of_4_gib}) {
      for (const bool known : {false, true}) {
        const simulated_run run =
            simulate(grains, {known ? slow : unknown(slow), known ? pool : unknown(pool)});
        const double solo = simulate(grains, {unknown(cores())}).seconds;
        CAPTURE(slower, grains, known, run.seconds, solo, run.grains[0]);
        check_right(run);
        // A worker does 16 of 256 grains, so one grain that the slow device keeps delays the end.
        CHECK(run.seconds <= (grains < 1000 ? (known ? 1.06 : 1.15) : known ? 1.02 : 1.05) * solo);
      }
    }
  }
}

}  // namespace duomap::test::scheduler_calibration_ramp_test
