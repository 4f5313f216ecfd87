// Tests how runs are planned, on synthetic machines with synthetic histories.
#include "scheduler/planner/plan_run.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::test::scheduler_plan_run_test {
namespace {

using scheduler::executor_model;
using scheduler::executor_set;
using scheduler::run_outlook;
using scheduler::run_plan;
using scheduler::time_estimate;

constexpr std::uint64_t gigabyte = 1'000'000'000;

const executor_model seen_in_co_run{.seconds_per_unit = 1e-10};
const executor_model seen_solo{.seconds_per_unit = 1e-10, .solo_seconds_per_unit = 2e-11};

/// A run of 4 GB on 16 workers and started devices of unknown speed.
struct run_case {
  std::string what;
  unsigned devices = 1;
  std::uint64_t bytes = 4 * gigabyte;
  bool started = true;
  bool in_place = false;
  run_options options = {};
  std::optional<double> pool_takes = std::nullopt;
  std::optional<time_estimate> estimate = std::nullopt;
  scheduler::executor_set_choice choice = {};
  executor_model device = {};

  // The plan that the test expects.
  bool with_pool = true;
  unsigned with_devices = 1;
  unsigned idle = 8;
  double waits = 0;
  bool looks = false;
  executor_set chosen = executor_set::both;
  bool comparable = true;
};

run_plan plan_of(const run_case& one) {
  synthetic_provider provider(one.devices, one.devices == 0 ? "there is none" : "");
  provider.known = true;
  const synthetic_host host;
  synthetic_history history;
  history.pool_takes = one.pool_takes;
  history.choice = one.choice;
  history.device = one.device;
  const std::array offers{scheduler::device_offer{&provider, true}};
  return scheduler::plan_run({.estimate = one.estimate},
                             {.direct_bytes = one.bytes,
                              .addressable_units = one.bytes,
                              .workers = 16,
                              .started = one.started,
                              .in_place = one.in_place},
                             {host, offers}, history, one.options);
}

const std::vector<run_case>& all_cases() {
  static const std::vector<run_case> all = {
      {.what = "devices that were never seen alone are watched", .waits = 5e-3, .looks = true},
      {.what = "also those that were seen beside the pool",
       .device = seen_in_co_run,
       .waits = 5e-3,
       .looks = true},
      {.what = "those that were seen alone are not", .device = seen_solo},
      {.what = "for a tenth of what the pool takes", .pool_takes = 30e-3, .waits = 3e-3, .looks = true},
      {.what = "not for too short to see something", .pool_takes = 15e-3},
      {.what = "nor where the link takes less than that", .bytes = 128 << 20},
      {.what = "unless the pool takes longer",
       .bytes = 128 << 20,
       .pool_takes = 30e-3,
       .waits = 3e-3,
       .looks = true},
      {.what = "a device that is not started is not watched, and its run not compared",
       .bytes = 40 * gigabyte,
       .started = false,
       .comparable = false},
      {.what = "nothing is started for what the pool does soon",
       .started = false,
       .pool_takes = 0.4,
       .with_devices = 0,
       .idle = 0},
      {.what = "of what nobody knows the first device is a part, unseen",
       .started = false,
       .idle = 8,
       .comparable = false},
      {.what = "a pool alone does not wait", .devices = 0, .with_devices = 0, .idle = 0},
      {.what = "the options leave devices out",
       .options = {.device = device_choice::cpu},
       .with_devices = 0,
       .idle = 0},
      {.what = "the options leave the pool out",
       .options = {.device = device_choice::gpu},
       .with_pool = false},
      {.what = "a split by hand neither waits nor compares",
       .options = {.share = {.policy = share_policy::by_hand}},
       .comparable = false},
      {.what = "each of two devices has threads",
       .devices = 2,
       .with_devices = 2,
       .idle = 16,
       .waits = 5e-3,
       .looks = true},
      {.what = "what is read in place needs none", .in_place = true, .idle = 1, .waits = 5e-3, .looks = true},
      {.what = "whole runs took less without devices",
       .choice = {.set = executor_set::pools},
       .with_devices = 0,
       .idle = 0,
       .chosen = executor_set::pools},
      {.what = "whole runs took less without the pool, which waits for twice of that",
       .choice = {.set = executor_set::devices, .hold_back_seconds = 20e-3},
       .device = seen_solo,
       .waits = 20e-3,
       .chosen = executor_set::devices},
      {.what = "that is no warm-up, however short the wait of a warm-up would be",
       .choice = {.set = executor_set::devices, .hold_back_seconds = 20e-3},
       .waits = 20e-3,
       .chosen = executor_set::devices},
      {.what = "unless the warm-up is longer",
       .choice = {.set = executor_set::devices, .hold_back_seconds = 4e-3},
       .waits = 5e-3,
       .looks = true,
       .chosen = executor_set::devices},
      {.what = "also where both are demanded",
       .options = {.device = device_choice::cpu_gpu},
       .choice = {.set = executor_set::pools},
       .with_devices = 0,
       .idle = 0,
       .chosen = executor_set::pools},
      {.what = "where devices are demanded they take part, whatever runs took",
       .options = {.device = device_choice::gpu},
       .choice = {.set = executor_set::pools},
       .with_pool = false},
      {.what = "the task says that devices are much faster",
       .estimate = time_estimate{1, 0.1},
       .device = seen_solo,
       .waits = 5e-3 + 0.2},
      {.what = "and waits longer where they have to be started",
       .started = false,
       .estimate = time_estimate{1, 0.1},
       .waits = 0.3 + 0.2,
       .comparable = false},
      {.what = "several devices are as much faster",
       .devices = 2,
       .estimate = time_estimate{1, 0.4},
       .device = seen_solo,
       .with_devices = 2,
       .idle = 16,
       .waits = 5e-3 + 0.4},
      {.what = "they are not fast enough", .estimate = time_estimate{1, 0.25}, .device = seen_solo},
      {.what = "for short runs they are",
       .estimate = time_estimate{0.05, 0.019},
       .device = seen_solo,
       .waits = 5e-3 + 0.038},
      {.what = "and not with less than that", .estimate = time_estimate{0.04, 0.019}, .device = seen_solo},
      {.what = "what was measured of the pool counts more than what the task says",
       .pool_takes = 0.3,
       .estimate = time_estimate{1, 0.1},
       .device = seen_solo},
  };
  return all;
}

}  // namespace

TEST_CASE("runs are planned by what is known of them", "[planner]") {
  for (const run_case& one : all_cases()) {
    CAPTURE(one.what);
    const run_plan plan = plan_of(one);
    CHECK(plan.pools == one.with_pool);
    CHECK(plan.devices.size() == one.with_devices);
    CHECK(plan.models.pool.has_value() == one.with_pool);
    CHECK(plan.models.devices.size() == one.with_devices);
    CHECK(plan.idle == one.idle);
    CHECK(plan.hold_back_seconds == Approx(one.waits));
    CHECK(plan.solo_warm_up == one.looks);
    CHECK(plan.chosen == one.chosen);
    CHECK(plan.comparable == one.comparable);
    CHECK(plan.addressable_units == one.bytes);
    for (const auto& device : plan.devices)
      CHECK(device.device.alone == (!one.with_pool || one.chosen == executor_set::devices));
    const bool left_out = plan.devices.empty() && (one.options.device == device_choice::automatic ||
                                                   plan.chosen == executor_set::pools);
    CHECK(plan.notes.size() == (left_out || plan.chosen == executor_set::devices ? 1 : 0));
  }
}

TEST_CASE("a device that is to be started is tried again unless it was seen alone", "[planner]") {
  run_case one{.what = "", .bytes = 1000};
  one.options.device = device_choice::cpu_gpu;
  for (const bool started : {false, true}) {
    for (const bool solo : {false, true}) {
      CAPTURE(started, solo);
      one.started = started;
      one.device = seen_solo;
      if (!solo) one.device.solo_seconds_per_unit = 0;
      const run_plan plan = plan_of(one);
      REQUIRE(plan.models.devices.size() == 1);
      CHECK(plan.models.devices[0].seconds_per_unit == seen_solo.seconds_per_unit);
      CHECK(plan.models.devices[0].trusted == (started || solo));
    }
  }
}

TEST_CASE("of executors of which nothing is known the task's estimate is believed, without trust",
          "[planner]") {
  run_case one{.what = "", .bytes = 1000, .estimate = time_estimate{2, 0.5}};
  run_plan plan = plan_of(one);
  REQUIRE(plan.models.devices.size() == 1);
  CHECK(plan.models.pool->seconds_per_unit == Approx(2e-3));
  CHECK(plan.models.devices[0].seconds_per_unit == Approx(0.5e-3));
  CHECK_FALSE(plan.models.pool->trusted);
  CHECK_FALSE(plan.models.devices[0].trusted);
  one.device = seen_solo;
  plan = plan_of(one);
  CHECK(plan.models.devices[0].seconds_per_unit == seen_solo.seconds_per_unit);
  CHECK(plan.models.devices[0].trusted);
}

TEST_CASE("devices are fed from the cores near them", "[planner]") {
  const run_plan plan = plan_of({.what = "", .devices = 2});
  CHECK(plan.devices.at(0).device.near_cores.empty());
  CHECK(plan.devices.at(1).device.near_cores == std::vector<unsigned>{8, 9});
}

}  // namespace duomap::test::scheduler_plan_run_test
