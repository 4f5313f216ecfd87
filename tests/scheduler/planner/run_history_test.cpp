// Tests what a run believes about executors after earlier runs of its process.
#include "scheduler/planner/run_history.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_run_history_test {
namespace {

using scheduler::planned_device;
using scheduler::run_history;
using scheduler::run_plan;

constexpr std::uint64_t units = 80'000'000;

/// A process that runs one task on one started device.
class process {
 public:
  explicit process(std::string task) : task_(std::move(task)) {}

  [[nodiscard]] scheduler::executor_set chosen(std::uint64_t bytes) { return next().executor_set(bytes).set; }

  [[nodiscard]] scheduler::executor_model believed() {
    run_history before = next();
    return before.models(false, true).devices.at(0);
  }

  /// A run on the device, too short for a profile. `pools`: whether the pool was allowed to take part.
  void run(double copy_seconds, double compute_seconds, bool pools = false) {
    run_history history = next();
    static_cast<void>(history.models(false, true));
    run_plan plan;
    plan.pools = pools;
    plan.devices = devices_;
    plan.comparable = true;
    plan.addressable_units = units;
    run_report report;
    report.units = units;
    report.map_seconds = 5e-3;
    executor_report& device = report.executors.emplace_back();
    device.kind = executor_kind::device;
    device.units = units;
    device.copy_seconds = copy_seconds;
    device.compute_seconds = compute_seconds;
    history.learn(plan, report, 6e-3);
  }

 private:
  [[nodiscard]] run_history next() {
    run_history one(options_, host_, task_, 16, units);
    one.use(devices_);
    return one;
  }

  std::string task_;
  run_options options_;
  synthetic_host host_;
  synthetic_provider provider_{1};
  std::vector<planned_device> devices_{{&provider_, {&provider_.list().devices[0], {}}}};
};

}  // namespace

TEST_CASE("run history: a device takes for a grain what it was busy for, without what a run costs besides",
          "[planner]") {
  process one("a task whose kernels are loaded");
  CHECK_FALSE(one.believed().known());
  // The first run of a task also loads its kernels.
  one.run(9e-3, 1e-3);
  CHECK_FALSE(one.believed().known());
  one.run(3e-3, 1e-3);
  CHECK(one.believed().seconds_per_unit == Approx(3e-3 / units));
  CHECK(one.believed().solo_seconds_per_unit == Approx(3e-3 / units));
  // A disturbed run takes longer.
  one.run(4e-3, 4e-3);
  CHECK(one.believed().seconds_per_unit == Approx(3e-3 / units));
  one.run(1e-3, 2e-3);
  CHECK(one.believed().seconds_per_unit == Approx(2e-3 / units));
}

TEST_CASE("run history: pools that no co-run has a chunk for are tried alone if there are few bytes",
          "[planner]") {
  process one("a task of one chunk");
  for (int i = 0; i < 3; ++i) one.run(3e-3, 1e-3, true);
  CHECK(one.chosen(1'000'000) == scheduler::executor_set::pools);
  CHECK(one.chosen(units) == scheduler::executor_set::devices);
  CHECK(one.chosen(0) == scheduler::executor_set::devices);  // an index: the run may take any time
}

TEST_CASE("run history: a short run shows of another size that it is short, and not that it is long",
          "[planner]") {
  const run_options options;
  const synthetic_host host;
  const auto history_of = [&](std::uint64_t size) {
    return run_history(options, host, "a task with a short run", 16, size);
  };
  run_history first = history_of(1000);
  static_cast<void>(first.models(true, true));
  run_report report;
  report.units = 1000;
  report.map_seconds = 2e-3;
  report.executors.push_back({.name = "cpu", .units = 1000, .seconds_per_unit = 2e-6});
  first.learn(run_plan(), report, 2e-3);
  CHECK(history_of(100'000).pool_seconds() == Approx(0.2));
  CHECK_FALSE(history_of(1'000'000).pool_seconds());

  report.map_seconds = 20e-3;
  first.learn(run_plan(), report, 20e-3);
  CHECK(history_of(1'000'000).pool_seconds() == Approx(2));
}

}  // namespace duomap::test::scheduler_run_history_test
