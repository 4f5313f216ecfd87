// Plans from models, and the policies that runs can be given.
#include "scheduler/dispatch/plan.hpp"

#include "core/error.hpp"
#include "core/split_policy.hpp"
#include "scheduler/models/best_split.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace duomap::test::scheduler_plan_test {
namespace {

using scheduler::best_split;
using scheduler::dispatch_rule;
using scheduler::executor_config;
using scheduler::options_for;
using scheduler::plan;
using scheduler::plan_devices_solo;
using scheduler::plan_split;

executor_config planned_pool(double seconds_per_grain) {
  return {.workers = 4, .model = {.seconds_per_grain = seconds_per_grain}};
}
executor_config planned_device(double seconds_per_grain, double start_seconds = 0) {
  return {.device = true, .model = {.seconds_per_grain = seconds_per_grain, .start_seconds = start_seconds}};
}

}  // namespace

TEST_CASE("plan: pools that are held back have no part", "[plan]") {
  const std::vector<executor_config> configs{planned_device(1e-6), planned_pool(4e-6), planned_device(3e-6)};
  const plan made = plan_devices_solo(100'000, configs);
  REQUIRE(made.parts.size() == 3);
  CHECK(made.parts[0].share == Approx(0.75));
  CHECK(made.parts[1].share == 0);
  CHECK_FALSE(made.parts[1].reason.empty());
  CHECK(made.parts[2].share == Approx(0.25));
  CHECK(made.seconds == Approx(0.075));
}

TEST_CASE("plan: shares go with speed", "[plan]") {
  const std::vector<executor_config> configs{planned_device(1e-6), planned_pool(4e-6)};
  const plan made = plan_split(100'000, configs);
  CHECK(made.parts[0].share == Approx(0.8));
  CHECK(made.parts[1].share == Approx(0.2));
  CHECK(made.seconds == Approx(0.08));
  CHECK(made.parts[0].reason.empty());
}

TEST_CASE("plan: fixed costs count", "[plan]") {
  // All by the pool: 0.2 s. In 0.12 s it does 60 %, and the device, ready after 0.04 s, the rest.
  const std::vector<executor_config> configs{planned_device(2e-6, 0.04), planned_pool(2e-6)};
  const plan made = plan_split(100'000, configs);
  CHECK(made.seconds == Approx(0.12));
  CHECK(made.parts[0].share == Approx(0.4));
}

TEST_CASE("plan: an executor that cannot help is left out, with the reason", "[plan]") {
  const std::vector<executor_config> cold{planned_device(1e-6, 0.2), planned_pool(1e-5)};
  const plan small = plan_split(1000, cold);
  CHECK(small.parts[0].share == 0);
  CHECK_THAT(small.parts[0].reason, contains("the others would be done before its first grain"));
  CHECK(small.parts[1].share == 1);

  const plan close = plan_split(20'100, cold);  // 0.201 s by the pool alone
  CHECK(close.parts[0].share == 0);
  CHECK_THAT(close.parts[0].reason, contains("less than 2 %"));

  const std::vector<executor_config> slow{planned_device(1e-6), planned_pool(1)};
  const plan fast = plan_split(1000, slow);
  CHECK(fast.parts[1].share == 0);
  CHECK(fast.parts[0].share == 1);
}

TEST_CASE("plan: nothing is planned of what is not known", "[plan]") {
  const std::vector<executor_config> configs{planned_device(0), planned_pool(1e-6)};
  const plan made = plan_split(1000, configs);
  CHECK(made.seconds == 0);
  CHECK_THAT(made.parts[0].reason, contains("not known"));
  CHECK(made.parts[1].reason.empty());
  CHECK(plan_split(1000, {}).parts.empty());
  CHECK(plan_split(0, configs).parts.size() == 2);
}

TEST_CASE("plan: an executor alone does everything", "[plan]") {
  const std::vector<executor_config> one{planned_pool(1e-6)};
  CHECK(plan_split(1000, one).parts[0].share == 1);
  CHECK(plan_split(1000, one).seconds == Approx(1e-3));
}

TEST_CASE("split policies are read as they are written", "[plan]") {
  CHECK(parse_split("auto").policy == split_policy::automatic);
  CHECK(parse_split("mars").policy == split_policy::mars);
  CHECK(parse_split("qilin").policy == split_policy::qilin);
  CHECK(parse_split("guided").policy == split_policy::guided);
  CHECK(parse_split("packets").packets == 50);
  CHECK(parse_split("packets=500").packets == 500);
  CHECK(parse_split("gpu=0.8").policy == split_policy::by_hand);
  CHECK(parse_split("gpu=0.8").gpu_share == 0.8);
  CHECK(parse_split("gpu=1").gpu_share == 1);
  for (const char* const wrong :
       {"", "cuda", "auto=1", "mars=2", "=", "gpu=", "gpu", "gpu=1.1", "gpu=-0.1", "gpu=nan", "gpu=0.5x",
        "packets=0", "packets=", "packets=-1", "packets=1.5"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_split(wrong), usage_error);
  }
  CHECK(name(split_policy::qilin) == "qilin");
}

TEST_CASE("split policies become options of the dispatcher", "[plan]") {
  const std::vector<executor_config> configs{planned_device(1e-6), planned_device(1e-6), planned_pool(2e-6)};
  const auto by_hand = options_for(parse_split("gpu=0.8"), 1000, configs);
  CHECK(by_hand.rule == dispatch_rule::split);
  CHECK(by_hand.shares[0] == Approx(0.4));
  CHECK(by_hand.shares[2] == Approx(0.2));
  CHECK_THROWS_AS(options_for(parse_split("gpu=0.8"), 1000, std::vector<executor_config>{planned_pool(1)}),
                  usage_error);
  CHECK_THROWS_AS(options_for(parse_split("gpu=0.8"), 1000, std::vector<executor_config>{planned_device(1)}),
                  usage_error);
  CHECK_NOTHROW(options_for(parse_split("gpu=1"), 1000, std::vector<executor_config>{planned_device(1)}));

  // Mars sees only how long each takes for everything, Qilin what of that is fixed.
  const std::vector<executor_config> fixed{planned_device(1e-6, 0.01), planned_pool(1e-6)};
  const auto mars = options_for(parse_split("mars"), 10'000, fixed);
  CHECK(mars.shares[0] == Approx(1.0 / 3));
  const auto qilin = options_for(parse_split("qilin"), 20'000, fixed);
  CHECK(qilin.shares[0] == Approx(0.25));
  const auto unknown = options_for(parse_split("qilin"), 1000,
                                   std::vector<executor_config>{planned_device(0), planned_pool(1)});
  CHECK(unknown.shares[0] == 0.5);
  CHECK(options_for(parse_split("packets=7"), 1000, configs).packets == 7);
  CHECK(options_for(parse_split("guided"), 1000, configs).rule == dispatch_rule::guided);
  CHECK(options_for(parse_split("auto"), 1000, configs).rule == dispatch_rule::converging);
}

TEST_CASE("the best split is found by trying", "[plan]") {
  const auto found = best_split([](double share) { return 1 + std::abs(share - 0.637); });
  CHECK(found.share == Approx(0.637).margin(1e-3));
  CHECK(best_split([](double share) { return share; }).share == 0);
  CHECK(best_split([](double share) { return -share; }).share == 1);
}

// The rivals are our own versions of published rules, on the same chunks and the same simulated machine.
TEST_CASE("every policy does all of the work, and none beats the automatic one by 5 %", "[plan]") {
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
      std::vector<executor_config> configs;
      for (const auto& one : both)
        configs.push_back({.workers = one.workers, .device = one.device, .model = one.truth()});
      const double ours = simulate(grains, both, costs).seconds;
      for (const char* const policy : {"mars", "qilin", "packets", "packets=500", "guided", "gpu=0.5"}) {
        const auto run = simulate(grains, both, costs, options_for(parse_split(policy), grains, configs));
        CAPTURE(skewed, grains, policy, run.seconds, ours);
        CHECK(run.wrong_grains == 0);
        CHECK_FALSE(run.hung);
        CHECK(ours <= 1.05 * run.seconds);
      }
    }
  }
}

}  // namespace duomap::test::scheduler_plan_test
