// Tests percentiles of measured times, and speed-ups.
#include "bench/harness/percentile.hpp"

#include "bench/harness/bench_table.hpp"
#include "bench/tests/harness/support.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace duomap::test::bench_harness_percentile_test {

using apps::percentile;

TEST_CASE("percentiles lie between the sorted values in proportion", "[bench]") {
  // NumPy gives the expected values: numpy.percentile([4, 1, 3, 2], [0, 10, 25, 50, 90, 100])
  const std::vector<double> four = {4, 1, 3, 2};
  CHECK(percentile(four, 0) == 1);
  CHECK(percentile(four, 0.1) == Approx(1.3));
  CHECK(percentile(four, 0.25) == Approx(1.75));
  CHECK(percentile(four, 0.5) == Approx(2.5));
  CHECK(percentile(four, 0.9) == Approx(3.7));
  CHECK(percentile(four, 1) == 4);
  CHECK(percentile({7}, 0.9) == 7);
  CHECK(apps::median({3, 1, 2}) == 2);
  const apps::spread all = apps::spread_of({5, 1, 2, 3, 4});
  CHECK(all.p10 == Approx(1.4));
  CHECK(all.middle == 3);
  CHECK(all.p90 == Approx(4.6));
}

TEST_CASE("a percentile of nothing is a mistake of the caller", "[bench]") {
  CHECK_THROWS_AS(percentile({}, 0.5), std::logic_error);
  CHECK_THROWS_AS(percentile({1}, 1.5), std::logic_error);
}

TEST_CASE("speed-ups are medians of the rounds' ratios", "[bench]") {
  // The machine was slow in the first round, for both.
  const auto loop = synthetic_row("loop", {40, 10, 10}), quick = synthetic_row("duomap", {10, 2, 5});
  CHECK(apps::speed_up_over(loop, quick) == 4);
  // With different numbers of rounds, the speed-up is the ratio of the medians.
  CHECK(apps::speed_up_over(loop, synthetic_row("duomap", {5, 5})) == 2);

  apps::bench_table table{.name = "t", .title = "t", .rows = {loop, quick, synthetic_row("absent", {})}};
  table.rows[2].not_measured = "not there";
  set_speed_ups(table);
  CHECK(table.rows[0].speed_up == 1.0);
  CHECK(table.rows[1].speed_up == 4.0);
  CHECK(!table.rows[2].speed_up);
}

}  // namespace duomap::test::bench_harness_percentile_test
