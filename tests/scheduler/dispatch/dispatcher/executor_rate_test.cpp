// Tests the rate of an executor, both while others work and alone.
#include "scheduler/dispatch/dispatcher/executor_rate.hpp"

#include "tests/catch.hpp"

namespace duomap::test::scheduler_executor_rate_test {

using scheduler::executor_rate;

TEST_CASE("executor rate: a pool's belief is that of all its workers", "[dispatch]") {
  const executor_rate one({.seconds_per_grain = 1e-3}, 4);
  CHECK(one.seconds_per_grain() == Approx(4e-3));
  CHECK(one.samples() == 0);
  CHECK(one.solo_warm_up() == 0);
}

TEST_CASE("executor rate: alone it is as fast as beside others, where nothing else is known", "[dispatch]") {
  executor_rate one({.seconds_per_grain = 1e-3}, 1);
  CHECK(one.solo_per_grain() == one.seconds_per_grain());
  const executor_rate nothing({}, 1);
  CHECK(nothing.solo_per_grain() == 0);
}

TEST_CASE("executor rate: alone it keeps the advantage that it is believed to have, up to twice the speed",
          "[dispatch]") {
  for (const double part : {0.8, 0.5, 0.1, 1.5}) {
    executor_rate one({.seconds_per_grain = 1e-3, .solo_seconds_per_grain = part * 1e-3}, 1);
    const double kept = part < 0.5 ? 0.5 : part > 1 ? 1 : part;
    CHECK(one.solo_per_grain() == Approx(kept * 1e-3));
    // Alone, the executor takes the same fraction of the new rate as of the old one.
    for (int i = 0; i < 50; ++i) one.add(10, 20e-3);
    CHECK(one.solo_per_grain() == Approx(kept * one.seconds_per_grain()));
  }
}

TEST_CASE("executor rate: a solo warm-up says more than a belief", "[dispatch]") {
  executor_rate one({.seconds_per_grain = 1e-3, .solo_seconds_per_grain = 0.9e-3}, 1);
  one.set_solo_warm_up(0.6e-3);
  CHECK(one.solo_per_grain() == Approx(0.6e-3));
  CHECK(one.solo_warm_up() == Approx(0.6e-3));
  one.set_solo_warm_up(1e-6);
  CHECK(one.solo_per_grain() == Approx(0.5e-3));
  one.set_solo_warm_up(1);
  CHECK(one.solo_per_grain() == one.seconds_per_grain());
}

TEST_CASE("executor rate: what was done alone is kept apart, and a forgotten rate is a belief",
          "[dispatch]") {
  executor_rate one({}, 1);
  one.add(10, 1e-3);
  one.add_solo(10, 0.5e-3);
  CHECK(one.measured().samples() == 1);
  CHECK(one.measured_solo().seconds_per_grain() == Approx(0.5e-4));
  CHECK(one.seconds_per_grain() == Approx(1e-4));
  one.forget();
  CHECK(one.samples() == 0);
  CHECK(one.seconds_per_grain() == Approx(1e-4));
}

}  // namespace duomap::test::scheduler_executor_rate_test
