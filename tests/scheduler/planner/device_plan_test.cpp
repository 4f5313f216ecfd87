// Tests which devices a run gets, and the reasons against the others, on synthetic machines.
#include "scheduler/planner/device_plan.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace duomap::test::scheduler_device_plan_test {
namespace {

using scheduler::device_offer;
using scheduler::measured_thresholds;
using scheduler::plan_devices;
using scheduler::run_outlook;

run_outlook outlook_of(std::uint64_t bytes) {
  return {.direct_bytes = bytes, .addressable_units = bytes, .workers = 4};
}

}  // namespace

TEST_CASE("what the pool is believed to take decides, when it is known", "[planner]") {
  const synthetic_provider two(2);
  const std::array offers{device_offer{&two, true}};
  const auto note = [&](const run_outlook& outlook) {
    const auto plan = plan_devices(device_choice::automatic, offers, outlook);
    CHECK(plan.pools);
    CHECK(plan.devices.size() == (plan.note.empty() ? 2 : 0));
    return plan.note;
  };
  run_outlook small = outlook_of(1000);
  small.pool_seconds = 2 * measured_thresholds.cold_seconds();
  CHECK(note(small) == "");
  run_outlook large = outlook_of(std::uint64_t{1} << 40);
  large.pool_seconds = 0.9 * measured_thresholds.cold_seconds();
  CHECK(
      note(large) ==
      "no GPU used: the CPU alone is expected to take 450 ms, less than the 500 ms that are worth starting a "
      "GPU for; --device gpu or cpu+gpu uses it all the same");
  large.started = true;
  CHECK(note(large) == "");
  large.pool_seconds = 0.9 * measured_thresholds.machine.warm_run_seconds;
  CHECK_THAT(note(large), contains("expected to take 0.45 ms, less than the 0.5 ms") && contains("using"));
  small = outlook_of(measured_thresholds.warm_bytes);
  small.started = true;
  CHECK(note(small) == "");
  small.direct_bytes -= 1;
  CHECK_THAT(note(small), contains("15 MiB") && contains("worth using a GPU"));
}

TEST_CASE("no run with the pool waits for the list of devices", "[planner]") {
  synthetic_provider two(2);
  const std::array offers{device_offer{&two, true}};
  const auto plan = [&](device_choice choice, const run_outlook& outlook) {
    return plan_devices(choice, offers, outlook);
  };
  const std::uint64_t least = measured_thresholds.unseen_bytes;
  for (const auto choice : {device_choice::automatic, device_choice::cpu_gpu}) {
    const auto unseen = plan(choice, outlook_of(least));
    REQUIRE(unseen.devices.size() == 2);
    CHECK(unseen.devices[1].device.is == &two.unlisted()[1]);
    CHECK(unseen.unlisted);
    CHECK(plan(choice, {.direct_bytes = 0, .addressable_units = 10, .workers = 4}).unlisted);
  }
  CHECK_THAT(plan(device_choice::automatic, outlook_of(least - 1)).note,
             contains("0 MiB") && contains("less than the 1 MiB") && contains("worth starting a GPU"));
  CHECK_THAT(plan(device_choice::automatic, {}).note, contains("pipes") && !contains("cpu+gpu"));
  static_cast<void>(plan(device_choice::cpu, outlook_of(least)));
  CHECK(two.listed == 0);
  CHECK_FALSE(plan(device_choice::gpu, outlook_of(least)).unlisted);
  CHECK(two.listed > 0);
  two.known = true;
  CHECK_FALSE(plan(device_choice::automatic, outlook_of(least)).unlisted);
}

TEST_CASE("of several devices those take part that were asked for", "[planner]") {
  synthetic_provider three(3);
  const std::array offers{device_offer{&three, true}};
  const auto outlook_with = [](std::span<const int> gpus) {
    run_outlook outlook = outlook_of(std::uint64_t{1} << 40);
    outlook.gpus = gpus;
    return outlook;
  };
  const std::array last_and_first{2, 0, 2};
  const std::array none_such{7, 1, 9};
  for (const bool known : {false, true}) {
    three.known = known;
    for (const auto choice : {device_choice::automatic, device_choice::cpu_gpu, device_choice::gpu}) {
      const auto some = plan_devices(choice, offers, outlook_with(last_and_first));
      REQUIRE(some.devices.size() == 2);
      CHECK(some.devices[0].device.is->index == 0);
      CHECK(some.devices[1].device.is->index == 2);
      if (choice == device_choice::automatic) continue;
      CHECK_THROWS_WITH(plan_devices(choice, offers, outlook_with(none_such)),
                        contains("there is no gpu 7, 9; there are gpu 0, 1, 2"));
    }
    const auto left = plan_devices(device_choice::automatic, offers, outlook_with(none_such));
    REQUIRE(left.devices.size() == 1);
    CHECK(left.devices[0].device.is->index == 1);
    CHECK_FALSE(left.unlisted);
    CHECK_THAT(left.note, contains("there is no gpu 7, 9"));
    const std::array gone{5};
    const auto nothing = plan_devices(device_choice::automatic, offers, outlook_with(gone));
    CHECK(nothing.devices.empty());
    CHECK_THAT(nothing.note, contains("no GPU used: there is no gpu 5; there are gpu 0, 1, 2"));
  }
}

TEST_CASE("devices that cannot be used are told of, whatever was chosen", "[planner]") {
  synthetic_provider none(0, "there is no driver");
  const synthetic_provider some(1);
  const run_outlook large = outlook_of(std::uint64_t{1} << 40);
  const auto note = [&](const device_provider& from, bool has_code) {
    const device_offer offer{&from, has_code};
    return plan_devices(device_choice::automatic, std::span(&offer, 1), large).note;
  };
  CHECK(note(some, false) == "no GPU used: no code for this");
  CHECK(note(none, true) == "no GPU used: there is no driver");
  CHECK(note(none, false) == "no GPU used: there is no driver");
  const device_offer without{&none, true};
  CHECK(plan_devices(device_choice::automatic, std::span(&without, 1), {}).note ==
        "no GPU used: there is no driver");
  none.built = false;
  CHECK(note(none, false) == "no GPU used: there is no driver");
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    const auto demand = [&](const device_provider& from, bool has_code) {
      const device_offer offer{&from, has_code};
      return plan_devices(choice, std::span(&offer, 1), {});
    };
    CHECK_THROWS_AS(demand(some, false), device_unavailable);
    CHECK_THROWS_WITH(demand(some, false),
                      "no GPU can be used: no code for this; use --device cpu or auto to "
                      "run on the CPU");
    CHECK_THROWS_WITH(demand(none, true), contains("there is no driver"));
    CHECK_THROWS_WITH(demand(none, false), contains("there is no driver"));
    const auto plan = demand(some, true);
    CHECK(plan.pools == (choice == device_choice::cpu_gpu));
    CHECK(plan.devices.size() == 1);
  }
}

TEST_CASE("devices of several kinds stand in the order of their kinds", "[planner]") {
  synthetic_provider first(1);
  synthetic_provider second(2, "one has no memory");
  first.known = second.known = true;
  const std::array offers{device_offer{&first, true}, device_offer{&second, true}};
  const run_outlook large = outlook_of(std::uint64_t{1} << 40);
  const auto plan = plan_devices(device_choice::automatic, offers, large);
  REQUIRE(plan.devices.size() == 3);
  CHECK(plan.devices[0].from == &first);
  CHECK(plan.devices[1].from == &second);
  CHECK(plan.devices[2].device.is->name == "device 1");
  CHECK(plan.note == "");
  CHECK(plan_devices(device_choice::gpu, offers, large).note == "one has no memory");
  // This build lacks the first kind of device, which is no reason against the others.
  first.built = false;
  CHECK(plan_devices(device_choice::automatic, offers, large).devices.size() == 2);
}

}  // namespace duomap::test::scheduler_device_plan_test
