// Tests the estimates of rates: lines through the times of chunks, and rates that follow new measurements.
#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"

#include "scheduler/models/linear_fit.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace duomap::test::scheduler_rate_estimator_test {

using duomap::scheduler::fit_line;
using duomap::scheduler::grain_model;
using duomap::scheduler::median;
using duomap::scheduler::rate_estimator;
using duomap::scheduler::timed_chunk;
using duomap::test::seed;

TEST_CASE("the median is the middle value", "[linear_fit]") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 2, 100}) == 3);
}

TEST_CASE("a line is found through chunks of different sizes", "[linear_fit]") {
  std::vector<timed_chunk> chunks;
  for (const double size : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) chunks.push_back({size, 5 + 0.25 * size});
  const auto found = fit_line(chunks);
  REQUIRE(found);
  CHECK(found->fixed == Approx(5));
  CHECK(found->per_size == Approx(0.25));
  // One delayed chunk must not change the line.
  chunks[3].seconds *= 100;
  const auto again = fit_line(chunks);
  REQUIRE(again);
  CHECK(again->fixed == Approx(5));
  CHECK(again->per_size == Approx(0.25));
}

TEST_CASE("no line without three chunks of clearly different sizes", "[linear_fit]") {
  CHECK_FALSE(fit_line(std::vector<timed_chunk>{{1, 1}, {100, 2}}));
  CHECK_FALSE(fit_line(std::vector<timed_chunk>{{1, 1}, {2, 2}, {7, 3}}));
  CHECK(fit_line(std::vector<timed_chunk>{{1, 1}, {2, 2}, {8, 3}}));
}

TEST_CASE("a line never has negative costs", "[linear_fit]") {
  const auto falling = fit_line(std::vector<timed_chunk>{{1, 10}, {4, 5}, {16, 1}});
  REQUIRE(falling);
  CHECK(falling->per_size == 0);
  const auto steep = fit_line(std::vector<timed_chunk>{{1, 0.1}, {4, 5}, {16, 50}});
  REQUIRE(steep);
  CHECK(steep->fixed == 0);
}

TEST_CASE("a rate is what is believed until something is measured", "[rate]") {
  const rate_estimator one({.seconds_per_grain = 2, .claim_seconds = 1}, 4);
  CHECK(one.seconds_per_grain() == 8);  // one of four workers takes four times as long as the pool
  CHECK(one.claim_seconds() == 1);
  CHECK(one.samples() == 0);
  const rate_estimator unknown({}, 1);
  CHECK(unknown.seconds_per_grain() == 0);
}

TEST_CASE("a belief that is far off is replaced by the first measurement", "[rate]") {
  for (const double wrong : {0.01, 100.0}) {
    rate_estimator one({.seconds_per_grain = wrong}, 1);
    one.add(10, 10);
    CHECK(one.seconds_per_grain() == Approx(1));
  }
  rate_estimator near({.seconds_per_grain = 1.5}, 1);
  near.add(10, 10);
  CHECK(near.seconds_per_grain() == Approx(1.25));
}

TEST_CASE("a rate follows a change within a few chunks, and does not jump at an odd one", "[rate]") {
  rate_estimator one({.seconds_per_grain = 1}, 1);
  for (int i = 0; i < 20; ++i) one.add(5, 5);
  one.add(5, 15);
  CHECK(one.seconds_per_grain() < 1.5);
  for (int i = 0; i < 12; ++i) one.add(5, 15);
  CHECK(one.seconds_per_grain() > 2.7);
  CHECK(one.seconds_per_grain() < 3.1);
}

TEST_CASE("the fixed cost of a device is seen while its chunks grow", "[rate]") {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> noise(0.97, 1.03);
  rate_estimator one({}, 1);
  for (double size = 1; size <= 512; size *= 2) one.add(size, (20 + size) * noise(random));
  CHECK(one.claim_seconds() == Approx(20).epsilon(0.3));
  for (int i = 0; i < 20; ++i) one.add(512, 532 * noise(random));
  CHECK(one.seconds_per_grain() == Approx(1).epsilon(0.1));
}

TEST_CASE("what is no measurement is left out", "[rate]") {
  rate_estimator one({.seconds_per_grain = 1}, 1);
  one.add(0, 1);
  one.add(1, 0);
  one.add(1, std::nan(""));
  CHECK(one.samples() == 0);
  CHECK(one.seconds_per_grain() == 1);
}

}  // namespace duomap::test::scheduler_rate_estimator_test
