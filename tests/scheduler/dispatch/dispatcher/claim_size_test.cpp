// Tests claim sizes: the number of grains of the next claim, by each rule.
#include "scheduler/dispatch/dispatcher/claim_size.hpp"

#include "scheduler/dispatch/dispatcher/interval_shares.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace duomap::test::scheduler_claim_size_test {
namespace {

using scheduler::claim_sizes;
using scheduler::contention_control;
using scheduler::contention_search;
using scheduler::contention_search_of;
using scheduler::dispatch_options;
using scheduler::dispatch_rule;
using scheduler::executor_config;
using scheduler::executor_table;
using scheduler::finish_estimator;
using scheduler::grain_queue;
using scheduler::interval_shares;
using scheduler::solo_warm_up;

struct synthetic {
  synthetic(std::uint32_t grains, const std::vector<executor_config>& some,
            const dispatch_options& options = {})
    : how(options),
      all(some),
      queue(grains, interval_shares(some, how), how.rule == dispatch_rule::split),
      co_run(contention_search_of(some, how.rule)),
      warm_up(all, how),
      estimates(all, co_run),
      contention(all, estimates, warm_up, co_run, how),
      sizes(all, queue, estimates, warm_up, contention, how) {}

  dispatch_options how;
  executor_table all;
  grain_queue queue;
  contention_search co_run;
  solo_warm_up warm_up;
  finish_estimator estimates;
  contention_control contention;
  claim_sizes sizes;
};

executor_config large_claims(executor_config one) {
  one.most_grains = 1'000'000;
  return one;
}

}  // namespace

TEST_CASE("interval shares: devices have intervals as long as they are fast", "[dispatch]") {
  CHECK(interval_shares({device_of(1), pool_of(4, 1), device_of(0.5)}, {}) == std::vector<double>{1, 0, 2});
  CHECK(interval_shares({device_of(1), pool_of(4), device_of()}, {}) == std::vector<double>{1, 0, 1});
  CHECK(interval_shares({device_of(1), pool_of(4)}, {.rule = dispatch_rule::split, .shares = {0.3, 0.7}}) ==
        std::vector<double>{0.3, 0.7});
  CHECK_THROWS_AS(interval_shares({device_of(1)}, {.rule = dispatch_rule::split}), std::logic_error);
}

TEST_CASE("claim sizes: a split takes what an executor may, of a pool half of a worker's part",
          "[dispatch]") {
  synthetic run(1000, {device_of(), large_claims(pool_of(4))},
                {.rule = dispatch_rule::split, .shares = {0.5, 0.5}});
  CHECK(run.sizes.next(0, 500, 0) == 1000U);
  CHECK(run.sizes.next(1, 500, 0) == 62U);
  CHECK(run.sizes.next(1, 1, 0) == 1U);
}

TEST_CASE("claim sizes: a lone pool takes half of a worker's part, 2 ms at most", "[dispatch]") {
  synthetic unknown(1000, {large_claims(pool_of(4))});
  CHECK(unknown.sizes.next(0, 1000, 0) == 125U);
  synthetic slow(1000, {large_claims(pool_of(4, 1e-3 / 4))});
  CHECK(slow.sizes.next(0, 1000, 0) == 2U);
}

TEST_CASE("claim sizes: an unknown pool beside others takes one grain first", "[dispatch]") {
  synthetic run(1000, {pool_of(4), pool_of(4, 1e-6)});
  CHECK(run.sizes.next(0, 1000, 0) == 1U);
}

TEST_CASE("claim sizes: a lone device balances claims against what they cost, and has claims of one size",
          "[dispatch]") {
  synthetic known(1'000'000, {large_claims(device_of(1e-6))});
  CHECK(known.sizes.next(0, 1'000'000, 0) == 14'143U);  // sqrt(1e6 * 2e-4 / 1e-6), rounded up
  CHECK(known.sizes.next(0, 20'000, 0) == 14'143U);
  CHECK(known.sizes.next(0, 100, 0) == 100U);
  synthetic unknown(8000, {device_of()});
  CHECK(unknown.sizes.next(0, 8000, 0) == 1000U);
  CHECK(unknown.sizes.next(0, 8, 0) == 16U);  // an eighth of the largest claim
}

TEST_CASE(
    "claim sizes: devices among themselves need no ramp and no first chunk, if something is believed of them",
    "[dispatch]") {
  auto gpu = device_of(1e-6);
  gpu.model.trusted = false;
  synthetic run(1'000'000, {large_claims(gpu), large_claims(gpu)});
  hold(run.all[0], 0);
  hold(run.all[1], 0);
  // Half of all grains, in chunks of 10,000 grains: each chunk has a fixed cost of 0.2 ms.
  CHECK(run.sizes.next(0, 1'000'000, 0) == 10'000U);
  hold(run.all[0], 10'000);
  CHECK(run.sizes.next(0, 990'000, 0) > 9'000U);
  synthetic unknown(100'000, {device_of(), device_of()});
  hold(unknown.all[0], 0);
  CHECK(unknown.sizes.next(0, 100'000, 0) == 100'000U / 256);
}

TEST_CASE("claim sizes: a solo warm-up keeps chunks small, so that there are some to measure", "[dispatch]") {
  for (const bool looks : {false, true}) {
    synthetic run(1000, {device_of(1e-9), pool_of(4)}, {.hold_back_seconds = 1, .solo_warm_up = looks});
    REQUIRE(run.warm_up.pools_held_back(0));
    CHECK(run.sizes.next(0, 1000, 0) == (looks ? 250U : 1000U));
  }
}

TEST_CASE("claim sizes: an executor that is too slow for what is left takes none", "[dispatch]") {
  synthetic run(8, {device_of(1e-6), pool_of(4, 1.0)});
  hold(run.all[0], 0);
  CHECK_FALSE(run.sizes.next(1, 8, 0));
  CHECK(run.sizes.next(0, 8, 0));
}

TEST_CASE("claim sizes: a device of unknown rate begins with a ramp, one chunk at a time", "[dispatch]") {
  synthetic run(100'000, {device_of(), pool_of(4, 1e-4)});
  hold(run.all[0], 0);
  const auto first = run.sizes.next(0, 100'000, 0);
  REQUIRE(first);
  CHECK(*first == 100'000 / 256);
  hold(run.all[0], *first);
  CHECK_FALSE(run.sizes.next(0, 100'000 - *first, 0));
}

TEST_CASE("claim sizes: a believed rate is checked with one chunk before there is a second", "[dispatch]") {
  for (const bool trusted : {false, true}) {
    auto gpu = device_of(1e-6);
    gpu.model.trusted = trusted;
    synthetic run(10'000, {gpu, pool_of(4, 1e-6)});
    run.all[0].ramp.spare(0);
    hold(run.all[0], 0);
    REQUIRE(run.sizes.next(0, 10'000, 0));
    hold(run.all[0], 100);
    CHECK(run.sizes.next(0, 9'900, 0).has_value() == trusted);
    run.all[0].rate.add(100, 1e-4);
    CHECK(run.sizes.next(0, 9'900, 0));
  }
}

TEST_CASE("claim sizes: no claim is larger than memory allows", "[dispatch]") {
  synthetic run(1'000'000, {device_of(1e-6), pool_of(4, 1e-6)});
  hold(run.all[0], 0);
  run.all[0].most = 3;
  CHECK(run.sizes.next(0, 1'000'000, 0) == 3U);
  run.all[1].most = 2;
  CHECK(run.sizes.next(1, 1'000'000, 0) == 2U);
}

TEST_CASE("claim sizes: a caller that works alone takes a grain, and then what fits into its time",
          "[dispatch]") {
  synthetic run(64, {pool_of(16)}, {.caller_seconds = 1e-3});
  CHECK(run.sizes.next(0, 64, 0) == 1U);
  run.all[0].rate.add(1, 1e-4);
  CHECK(run.sizes.next(0, 63, 0) == 5U);
  CHECK(run.sizes.next(0, 63, 6e-4) == 2U);
  CHECK(run.sizes.next(0, 63, 9e-4) == 1U);
  CHECK(run.sizes.next(0, 63, 2e-3) == 1U);  // many workers share the last grains
  synthetic cheap(64, {pool_of(16)}, {.caller_seconds = 1e-3});
  cheap.all[0].rate.add(1, 1e-9);
  CHECK(cheap.sizes.next(0, 63, 0) == 8U);
}

TEST_CASE("claim sizes: a pool that prefers adjacent chunks gets large claims when it is alone",
          "[dispatcher]") {
  executor_config pool = pool_of(4, 1e-3 / 4);
  pool.prefers_adjacent = true;
  synthetic alone(1000, {pool});
  CHECK(alone.sizes.next(0, 1000, 0) == 125);
  CHECK(alone.sizes.next(0, 8, 0) == 1);
  CHECK(alone.sizes.chunk_of_pool(0) == 2);  // two grains take 2 ms
  synthetic unknown(1000, {pool_of(4)});
  CHECK(unknown.sizes.chunk_of_pool(0) == 16);
  // Beside a device, claims stay small: other executors rely on the time when the pool comes back.
  synthetic both(10'000, {device_of(1e-6), pool});
  CHECK(both.sizes.next(1, 10'000, 0).value_or(0) <= 16);
}

}  // namespace duomap::test::scheduler_claim_size_test
