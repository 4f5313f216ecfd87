// Tests water_level(): executors with different head starts share work so that all end at one time.
#include "scheduler/models/water_level.hpp"

#include "scheduler/models/chunk_size.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace duomap::test::scheduler_water_level_test {

using duomap::scheduler::executor_forecast;
using duomap::scheduler::share_below;
using duomap::scheduler::water_level;
using duomap::test::seed;

TEST_CASE("equals that are ready at once share evenly", "[water_level]") {
  const std::vector<executor_forecast> two{{0, 1}, {0, 1}};
  CHECK(water_level(10, two) == Approx(5));
  CHECK(share_below(5, two[0]) == Approx(5));
}

TEST_CASE("shares go with speed, and head starts count", "[water_level]") {
  const std::vector<executor_forecast> two{{0, 1}, {3, 0.25}};
  // In 7 seconds the first does 7 grains, and the second (7 - 3) * 4 = 16.
  CHECK(water_level(23, two) == Approx(7));
  CHECK(share_below(7, two[1]) == Approx(16));
}

TEST_CASE("an executor that is ready too late takes no part", "[water_level]") {
  const std::vector<executor_forecast> two{{0, 1}, {100, 0.001}};
  CHECK(water_level(50, two) == Approx(50));
  CHECK(share_below(50, two[1]) == 0);
}

TEST_CASE("without executors nothing is ever done", "[water_level]") {
  CHECK(std::isinf(water_level(1, {})));
}

TEST_CASE("the shares below the level are the work, for any executors", "[water_level]") {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> exponent(-6, 3);
  for (int round = 0; round < 1000; ++round) {
    std::vector<executor_forecast> all(1 + random() % 8);
    for (executor_forecast& one : all)
      one = {random() % 3 == 0 ? 0 : std::pow(10, exponent(random)), std::pow(10, exponent(random))};
    const double grains = std::pow(10, exponent(random));
    const double level = water_level(grains, all);
    double sum = 0;
    double rounding = 0;  // large if head starts are much larger than shares
    for (const executor_forecast& one : all) {
      sum += share_below(level, one);
      rounding += 1e-12 * level / one.seconds_per_grain;
    }
    CAPTURE(round, grains, level);
    REQUIRE(std::abs(sum - grains) <= 1e-9 * grains + rounding);
  }
}

TEST_CASE("chunks of a device weigh what overlaps with nothing against what each costs", "[water_level]") {
  using duomap::scheduler::chunk_size;
  // With k chunks, a share of s grains takes k * claim + s * grain + (s / k) * grain. No k may be better.
  const auto seconds = [](double share, double size) {
    return share / size * 1e-4 + share * 1e-6 + size * 1e-6;
  };
  const double best = chunk_size(10'000, 1e-6, 1e-4);
  CHECK(best == Approx(1000));
  for (const double other : {100.0, 500.0, 2000.0, 10'000.0})
    CHECK(seconds(10'000, best) <= seconds(10'000, other));
  CHECK(chunk_size(10, 1e-6, 1e-4) == 10);
  CHECK(chunk_size(10, 0, 1e-4) == 5);
  CHECK(chunk_size(10, 1e-6, 0) == 5);
}

}  // namespace duomap::test::scheduler_water_level_test
