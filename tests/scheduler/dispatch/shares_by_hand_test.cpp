// Tests shares that a user sets for a run.
#include "scheduler/dispatch/shares_by_hand.hpp"

#include "core/error.hpp"
#include "core/share_policy.hpp"
#include "scheduler/models/best_split.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace duomap::test::scheduler_shares_by_hand_test {

using scheduler::best_split;
using scheduler::executor_config;
using scheduler::shares_by_hand;

TEST_CASE("splits are read as they are written", "[split]") {
  CHECK(parse_share("auto").policy == share_policy::automatic);
  CHECK(parse_share("gpu=0.8").policy == share_policy::by_hand);
  CHECK(parse_share("gpu=0.8").gpu_share == 0.8);
  CHECK(parse_share("gpu=1").gpu_share == 1);
  for (const char* const wrong : {"", "cuda", "auto=1", "mars", "=", "gpu"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH(parse_share(wrong), contains("give one of auto, gpu=SHARE"));
  }
  for (const char* const wrong : {"gpu=", "gpu=1.1", "gpu=-0.1", "gpu=nan", "gpu=0.5x"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_share(wrong), usage_error);
  }
}

TEST_CASE("a split by hand gives each device the same, and pools the rest", "[split]") {
  const auto shares = shares_by_hand(0.8, std::vector<executor_config>{device_of(), device_of(), pool_of(4)});
  CHECK(shares[0] == Approx(0.4));
  CHECK(shares[1] == Approx(0.4));
  CHECK(shares[2] == Approx(0.2));
  CHECK_THROWS_AS(shares_by_hand(0.8, std::vector<executor_config>{pool_of(4)}), usage_error);
  CHECK_THROWS_AS(shares_by_hand(0.8, std::vector<executor_config>{device_of()}), usage_error);
  CHECK(shares_by_hand(1, std::vector<executor_config>{device_of()}) == std::vector<double>{1});
}

TEST_CASE("the best split is found by trying", "[split]") {
  const auto found = best_split([](double share) { return 1 + std::abs(share - 0.637); });
  CHECK(found.share == Approx(0.637).margin(1e-3));
  CHECK(best_split([](double share) { return share; }).share == 0);
  CHECK(best_split([](double share) { return -share; }).share == 1);
}

TEST_CASE("halves and shares by throughput do not beat the automatic split by 5 %", "[split]") {
  simulated_executor gpu;
  gpu.device = true;
  gpu.depth = 3;
  gpu.most_grains = 1024;
  gpu.copy_seconds = 1.4e-6;
  gpu.grain_seconds = 1.1e-6;
  gpu.claim_seconds = 12e-6;
  gpu.end_seconds = 60e-6;
  simulated_executor cpu;
  cpu.workers = 16;
  cpu.grain_seconds = 116e-6;
  for (const bool skewed : {false, true}) {
    for (const std::uint32_t grains : {100U, 5000U, 60'000U}) {
      cost_sums costs(grains + 1, 0.0);
      for (std::uint32_t i = 0; i < grains; ++i)
        costs[i + 1] = costs[i] + (skewed && i > grains / 20 * 19 ? 20 : 1);
      const std::vector<simulated_executor> both{gpu, cpu};
      const double ours = simulate(grains, both, costs).seconds;
      const double of_throughput = 1 / (1 + gpu.copy_seconds * cpu.workers / cpu.grain_seconds);
      for (const double share : {0.5, of_throughput}) {
        const auto run = simulate(grains, both, costs,
                                  {.rule = scheduler::dispatch_rule::split, .shares = {share, 1 - share}});
        CAPTURE(skewed, grains, share, run.seconds, ours);
        CHECK(run.wrong_grains == 0);
        CHECK_FALSE(run.hung);
        CHECK(ours <= 1.05 * run.seconds);
      }
    }
  }
}

}  // namespace duomap::test::scheduler_shares_by_hand_test
