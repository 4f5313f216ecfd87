// Tests scheduler/planner/plan_run.cpp: when runs start devices, and what the report says about it, on
// synthetic machines.
#include "scheduler/planner/plan_run.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace duomap::test::scheduler_planned_start_test {
namespace {

using scheduler::run_outlook;
using scheduler::run_plan;

constexpr std::uint64_t gigabyte = 1'000'000'000;

}  // namespace

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
      {.what = "not enough was", .account = {.start = 0.25, .missed = 0.05, .coming = 0.04}},
      {.what = "this run is the last that it takes",
       .account = {.start = 0.25, .missed = 0.05, .coming = 0.06},
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
      {.what = "it saves as much as the end of a context takes",
       .account = {.start = 0.35, .device_seconds = 0.05},
       .starts = true,
       .pool_takes = 0.5},
      {.what = "it saves less", .account = {.start = 0.35, .device_seconds = 0.05}, .pool_takes = 0.45},
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
      {.what = "devices are demanded of which some are started",
       .account = nothing,
       .starts = true,
       .choice = device_choice::gpu,
       .started_before = true},
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

TEST_CASE("a run of which nobody knows how long it takes starts devices when it has missed enough",
          "[planner]") {
  synthetic_provider provider(1);
  const synthetic_host host;
  synthetic_history history;
  const std::array offers{scheduler::device_offer{&provider, true}};
  const auto starts_after = [&](std::optional<double> pool_takes, device_choice choice) {
    history.pool_takes = pool_takes;
    const run_outlook outlook{.direct_bytes = gigabyte, .addressable_units = gigabyte, .workers = 16};
    return scheduler::plan_run({}, outlook, {host, offers}, history, {.device = choice}).start_after_seconds;
  };
  constexpr double never = std::numeric_limits<double>::infinity();
  // The first run of a process. Finding devices takes 0.1 s, and the input takes the time of the link.
  constexpr double link =
      static_cast<double>(gigabyte) / scheduler::measured_thresholds.machine.link_bytes_per_second;
  history.account = {.start = 0.25};
  CHECK(starts_after(std::nullopt, device_choice::automatic) == Approx(0.1 + link));
  // Earlier runs would already have saved a part of the start's time.
  history.account = {.start = 0.25, .missed = 0.04};
  CHECK(starts_after(std::nullopt, device_choice::automatic) == Approx(0.06 + link));
  // If the pool's time is known, the planner decides before the run whether to start devices.
  CHECK(starts_after(0.3, device_choice::automatic) == never);
  CHECK(starts_after(std::nullopt, device_choice::cpu) == never);
  CHECK(starts_after(std::nullopt, device_choice::cpu_gpu) == never);
  history.account = {.start = 0.25, .missed = 0.2};
  CHECK(starts_after(std::nullopt, device_choice::automatic) == never);
  CHECK(provider.asked_to_start == 2);
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
                            {.device = device_choice::cpu_gpu, .share = {.policy = share_policy::by_hand}})
            .devices.size() == 1);
  provider.start_left = 0.2;
  history.pool_takes = 0.1;
  CHECK(plan(device_choice::gpu).devices.size() == 1);
}

TEST_CASE("a share of a device that takes no part is refused with the reason", "[planner]") {
  const synthetic_provider none(0, "there is none");
  const synthetic_host host;
  synthetic_history history;
  const std::array offers{scheduler::device_offer{&none, true}};
  const run_outlook outlook{.direct_bytes = 1 << 30, .addressable_units = 1 << 30};
  const auto plan = [&](device_choice choice, double share) {
    return scheduler::plan_run(
        {}, outlook, {host, offers}, history,
        {.device = choice, .share = {.policy = share_policy::by_hand, .gpu_share = share}});
  };
  CHECK_THROWS_AS(plan(device_choice::automatic, 0.8), device_unavailable);
  CHECK_THROWS_WITH(
      plan(device_choice::automatic, 0.8),
      contains("GPUs were given a share, and none takes part: there is none; ") && contains("--share"));
  CHECK(plan(device_choice::automatic, 0).pools);
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
            "; this process starts it when its runs would have taken 100 ms less with it (so far "
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

TEST_CASE("of several devices one is started, and another when devices have worked for it", "[planner]") {
  struct several_case {
    std::string what;
    scheduler::start_outlook account;
    device_choice choice = device_choice::gpu;
    unsigned started = 0;
    std::size_t asked_for = 1;  // 0: the planner asks for no device
    std::size_t devices = 1;
    std::string note = {};
  };
  const std::string one_more = " not started: one more pays when GPUs have worked for ";
  const std::string all_but_one = "device 1, device 2, device 3" + one_more;
  // By the planner's rule, a start of 0.2 s costs 0.12 s.
  const std::vector<several_case> all = {
      {.what = "the first run, which is short",
       .account = {.start = 0.2, .device_seconds = 0.08},
       .note = all_but_one + "240 ms in this process (so far 0 ms)"},
      {.what = "nobody knows how long it takes: it finds that out", .account = {.start = 0.2}, .devices = 4},
      {.what = "a long one",
       .account = {.start = 0.2, .device_seconds = 0.3},
       .asked_for = 2,
       .devices = 2,
       .note = "device 2, device 3" + one_more + "600 ms in this process (so far 0 ms)"},
      {.what = "the last of many short ones",
       .account = {.start = 0.2, .worked = 0.2, .device_seconds = 0.05},
       .started = 1,
       .asked_for = 2,
       .devices = 2,
       .note = "device 2, device 3" + one_more + "600 ms in this process (so far 200 ms)"},
      {.what = "one that is too short for that",
       .account = {.start = 0.2, .worked = 0.2, .device_seconds = 0.03},
       .choice = device_choice::automatic,
       .started = 1,
       .asked_for = 0,
       .note = all_but_one + "240 ms in this process (so far 200 ms)"},
      {.what = "those that are started take part",
       .account = {.start = 0.2, .device_seconds = 0.03},
       .choice = device_choice::automatic,
       .started = 4,
       .asked_for = 0,
       .devices = 4},
      {.what = "a start is known to take long",
       .account = {.start = 1, .worked = 1, .device_seconds = 0.05},
       .started = 1,
       .note = all_but_one + "1.2 s in this process (so far 1 s)"},
      {.what = "all pay", .account = {.start = 0.2, .device_seconds = 2}, .asked_for = 5, .devices = 4},
  };
  for (const several_case& one : all) {
    CAPTURE(one.what);
    synthetic_provider provider(4);
    provider.known = true;
    provider.started = one.started > 0;
    provider.started_devices = one.started;
    const synthetic_host host;
    synthetic_history history;
    history.account = one.account;
    history.pool_takes = 0.4;
    const std::array offers{scheduler::device_offer{&provider, true}};
    const run_outlook outlook{
        .direct_bytes = gigabyte, .addressable_units = gigabyte, .workers = 16, .started = one.started > 0};
    const run_plan plan = scheduler::plan_run({}, outlook, {host, offers}, history, {.device = one.choice});
    CHECK(provider.asked_for == one.asked_for);
    CHECK(plan.devices.size() == one.devices);
    if (one.note.empty()) {
      CHECK(plan.notes.empty());
    } else {
      REQUIRE(!plan.notes.empty());
      CHECK(plan.notes.front() == one.note);
    }
  }
}

}  // namespace duomap::test::scheduler_planned_start_test
