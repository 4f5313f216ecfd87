// How runs are planned, on synthetic machines with synthetic histories.
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

/// A run of 4 GB on 16 workers and started devices of which nothing is known.
struct run_case {
  std::string what;
  unsigned devices = 1;
  std::uint64_t bytes = 4 * gigabyte;
  bool started = true;
  bool in_place = false;
  job_options options = {};
  std::optional<double> pool_takes = std::nullopt;
  std::optional<time_estimate> estimate = std::nullopt;
  scheduler::executor_set_choice choice = {};
  executor_model device = {};

  // What is planned.
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
      {.what = "other policies neither wait nor compare",
       .options = {.split = {.policy = split_policy::guided}},
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

TEST_CASE("devices are started beside runs when that pays, and at once when they are demanded", "[planner]") {
  struct start_case {
    std::string what;
    scheduler::start_outlook account;
    bool starts = false;
    device_choice choice = device_choice::automatic;
    bool started_before = false;
    bool has_code = true;
    std::optional<double> pool_takes = 0.1;
    std::uint64_t bytes = gigabyte;
  };
  const scheduler::start_outlook nothing{.start = 0.25};
  const std::vector<start_case> all = {
      {.what = "nothing was missed", .account = nothing},
      {.what = "not enough was", .account = {.start = 0.25, .missed = 0.05, .coming = 0.09}},
      {.what = "this run is the last that it takes",
       .account = {.start = 0.25, .missed = 0.05, .coming = 0.11},
       .starts = true},
      {.what = "it may be the only one", .account = {.start = 0.25, .coming = 0.3}},
      {.what = "an earlier process gained what a start usually takes",
       .account = {.start = 0.25, .expected = scheduler::worth_a_start()},
       .starts = true},
      {.what = "it gained less", .account = {.start = 0.25, .expected = 0.9 * scheduler::worth_a_start()}},
      {.what = "nobody knows what a start takes",
       .account = {.missed = scheduler::worth_a_start()},
       .starts = true},
      {.what = "the run pays for it alone", .account = nothing, .starts = true, .pool_takes = 0.5},
      {.what = "it is too short for that", .account = nothing, .pool_takes = 0.45},
      {.what = "it is long enough for a device that is known to be fast",
       .account = {.start = 0.25, .device_seconds = 0.05},
       .starts = true,
       .pool_takes = 0.45},
      {.what = "it is too long for one that is known to be slow",
       .account = {.start = 0.25, .device_seconds = 2.4},
       .pool_takes = 0.6},
      {.what = "so much input will take long",
       .account = nothing,
       .starts = true,
       .pool_takes = std::nullopt,
       .bytes = std::uint64_t{4} << 30},
      {.what = "less may not",
       .account = nothing,
       .pool_takes = std::nullopt,
       .bytes = (std::uint64_t{4} << 30) - 1},
      {.what = "both are demanded", .account = nothing, .starts = true, .choice = device_choice::cpu_gpu},
      {.what = "devices are demanded", .account = nothing, .starts = true, .choice = device_choice::gpu},
      {.what = "they are not wanted", .account = {.start = 0.25, .missed = 1}, .choice = device_choice::cpu},
      {.what = "they are started", .account = {.start = 0.25, .missed = 1}, .started_before = true},
      {.what = "there is no code for them", .account = {.start = 0.25, .missed = 1}, .has_code = false},
  };
  for (const start_case& one : all) {
    CAPTURE(one.what);
    synthetic_provider provider(1);
    provider.started = one.started_before;
    const synthetic_host host;
    synthetic_history history;
    history.account = one.account;
    history.pool_takes = one.pool_takes;
    const std::array offers{scheduler::device_offer{&provider, one.has_code}};
    const run_outlook outlook{.direct_bytes = one.bytes,
                              .addressable_units = one.bytes,
                              .workers = 16,
                              .started = one.started_before};
    const run_plan plan = scheduler::plan_run({}, outlook, {host, offers}, history, {.device = one.choice});
    CHECK(provider.asked_to_start == (one.starts ? 1 : 0));
    const bool counts = one.choice == device_choice::automatic && one.has_code;
    REQUIRE(plan.account.has_value() == counts);
    if (!counts) continue;
    CHECK(plan.account->started == one.starts);
    CHECK(plan.account->ready == one.started_before);
  }
}

TEST_CASE("a run that is over before a start ends does without devices", "[planner]") {
  synthetic_provider provider(1);
  const synthetic_host host;
  synthetic_history history;
  const std::array offers{scheduler::device_offer{&provider, true}};
  const run_outlook outlook{.direct_bytes = gigabyte, .addressable_units = gigabyte, .workers = 16};
  const auto plan = [&](device_choice choice) {
    return scheduler::plan_run({}, outlook, {host, offers}, history, {.device = choice});
  };
  for (const auto choice : {device_choice::automatic, device_choice::cpu_gpu}) {
    CAPTURE(choice == device_choice::cpu_gpu);
    provider.start_left = 0.2;
    history.pool_takes = 0.1;
    const run_plan shorter = plan(choice);
    CHECK(shorter.devices.empty());
    CHECK(shorter.comparable);
    CHECK(shorter.reserved == 1);
    REQUIRE(shorter.notes.size() == 1);
    history.pool_takes = 0.3;
    const run_plan longer = plan(choice);
    CHECK(longer.devices.size() == 1);
    CHECK(longer.unlisted);
    CHECK_FALSE(longer.comparable);
    CHECK(longer.reserved == 1);
    history.pool_takes = std::nullopt;
    CHECK(plan(choice).devices.size() == 1);
    provider.start_left = std::nullopt;
    CHECK(plan(choice).reserved == 0);
  }
  CHECK(provider.listed == 0);
  provider.start_left = 0.2;
  history.pool_takes = 0.1;
  CHECK(scheduler::plan_run({}, outlook, {host, offers}, history,
                            {.device = device_choice::cpu_gpu, .split = {.policy = split_policy::by_hand}})
            .devices.size() == 1);
  provider.start_left = 0.2;
  history.pool_takes = 0.1;
  CHECK(plan(device_choice::gpu).devices.size() == 1);
}

TEST_CASE("the report says what it takes until a device is used", "[planner]") {
  synthetic_provider provider(1);
  const synthetic_host host;
  synthetic_history history;
  history.pool_takes = 0.1;
  const std::array offers{scheduler::device_offer{&provider, true}};
  const run_outlook outlook{.direct_bytes = gigabyte, .addressable_units = gigabyte, .workers = 16};
  const auto note = [&](double missed) {
    history.account = {.start = 0.25, .missed = missed};
    const run_plan plan = scheduler::plan_run({}, outlook, {host, offers}, history, {});
    REQUIRE(plan.notes.size() == 1);
    return plan.notes[0];
  };
  const std::string why =
      "no GPU used: the CPU alone is expected to take 100 ms, less than the 500 ms that are worth starting a "
      "GPU "
      "for; --device gpu or cpu+gpu uses it all the same";
  CHECK(note(0.05) ==
        why +
            "; this process starts it when its runs would have taken 150 ms less with it (so far "
            "50 ms)");
  CHECK(note(0.3) == why + "; it is being started during this run, for the next runs");
  provider.can_start = false;
  CHECK(note(0.3) == why);
  provider.started = true;
  history.pool_takes = 0.1e-3;
  const run_outlook later{
      .direct_bytes = gigabyte, .addressable_units = gigabyte, .workers = 16, .started = true};
  const run_plan plan = scheduler::plan_run({}, later, {host, offers}, history, {});
  REQUIRE(plan.notes.size() == 1);
  CHECK(plan.notes[0].ends_with("uses it all the same"));
}

TEST_CASE("nothing is said of starting a device where there is none", "[planner]") {
  synthetic_provider none(0, "there is no driver");
  const synthetic_host host;
  synthetic_history history;
  const std::array offers{scheduler::device_offer{&none, true}};
  for (const std::uint64_t bytes : {std::uint64_t{0}, gigabyte}) {
    const run_outlook outlook{.direct_bytes = bytes, .addressable_units = bytes, .workers = 16};
    const run_plan plan = scheduler::plan_run({}, outlook, {host, offers}, history, {});
    REQUIRE(plan.notes.size() == 1);
    CHECK(plan.notes[0] == "no GPU used: there is no driver");
    CHECK_FALSE(plan.account);
  }
}

TEST_CASE("devices are fed from the cores near them", "[planner]") {
  const run_plan plan = plan_of({.what = "", .devices = 2});
  CHECK(plan.devices.at(0).device.near_cores.empty());
  CHECK(plan.devices.at(1).device.near_cores == std::vector<unsigned>{8, 9});
}

TEST_CASE("what a task may keep in memory is planned", "[planner]") {
  const synthetic_host host;
  synthetic_history history;
  const auto limit = [&](bool collects, bool groups, std::uint64_t bytes) {
    const job_options options{.collect_bytes = bytes};
    return scheduler::plan_run({.collects = collects, .groups = groups}, {}, {host, {}}, history, options)
        .collects;
  };
  CHECK_FALSE(limit(false, false, 10).has_value());
  CHECK(limit(true, false, 10)->bytes == 10);
  CHECK(limit(true, false, 10)->copies == 1);
  CHECK(limit(true, true, 0)->bytes == 1000);
  CHECK(limit(true, true, 0)->copies == 3);
}

}  // namespace duomap::test::scheduler_plan_run_test
