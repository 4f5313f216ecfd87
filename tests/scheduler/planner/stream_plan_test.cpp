// Tests scheduler/planner/plan_run.cpp: whether the pool maps streams itself or decompresses them for
// devices, on a synthetic machine.
#include "scheduler/planner/device_plan.hpp"
#include "scheduler/planner/plan_run.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <array>
#include <cstdint>

namespace duomap::test::scheduler_stream_plan_test {
namespace {

using scheduler::device_offer;
using scheduler::measured_thresholds;
using scheduler::plan_devices;
using scheduler::run_outlook;
using scheduler::run_plan;

constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;

}  // namespace

TEST_CASE("what decompression leaves to gain decides over streams", "[planner]") {
  synthetic_provider one(1);
  const std::array offers{device_offer{&one, true}};
  const auto plan = [&](device_choice choice, const run_outlook& outlook) {
    const auto made = plan_devices(choice, offers, outlook);
    // The pool either maps the streams, or decompresses them for devices.
    if (choice == device_choice::automatic) CHECK(made.pools == made.devices.empty());
    return made;
  };
  run_outlook outlook{.stream_bytes = std::uint64_t{1} << 30, .workers = 16, .started = true};
  CHECK_THAT(plan(device_choice::automatic, outlook).note, contains("first run of a task"));
  CHECK(plan(device_choice::cpu_gpu, outlook).pools);
  // On a host with 16 cores, a byte of bgzip takes 0.38 ns (2.6 GB/s), half of it for mapping.
  outlook.streams = {.read = 0.18e-9, .map = 0.2e-9, .device = 0.02e-9};
  const auto made = plan(device_choice::automatic, outlook);
  REQUIRE(made.devices.size() == 1);
  CHECK_FALSE(made.unlisted);
  CHECK(made.note ==
        "the CPU reads and decompresses for the GPU, which maps: reading and decompressing takes 47 % of the "
        "time "
        "that the CPU alone takes, and a GPU that is fed so would take 47 %");
  CHECK_FALSE(plan(device_choice::cpu_gpu, outlook).pools);
  CHECK(plan(device_choice::cpu, outlook).devices.empty());
  // A start takes longer than the device saves. With ten times the bytes it pays.
  outlook.started = false;
  CHECK_THAT(plan(device_choice::automatic, outlook).note, contains("47 %") && contains("500 ms"));
  outlook.stream_bytes *= 10;
  CHECK(plan(device_choice::automatic, outlook).devices.size() == 1);
  // One core decompresses a single .gz file. The other cores map it at no extra cost.
  outlook.started = true;
  outlook.streams = {.read = 1.4e-9, .map = 0.03e-9, .device = 0.02e-9};
  CHECK_THAT(plan(device_choice::automatic, outlook).note, contains("98 %") && !contains("start"));
  // The device has turned out to be slower than the pool.
  outlook.streams = {.read = 0.18e-9, .map = 0.2e-9, .device = 0.5e-9};
  CHECK_THAT(plan(device_choice::automatic, outlook).note, contains("132 %"));
  outlook.stream_bytes = measured_thresholds.warm_bytes - 1;
  CHECK_THAT(plan(device_choice::automatic, outlook).note, contains("small files"));
}

TEST_CASE("where devices are fed from streams, the pool maps nothing and can do it all again", "[planner]") {
  synthetic_provider provider(1);
  provider.started = provider.known = true;
  const synthetic_host host;
  synthetic_history history;
  history.reading = {.read = 1e-10, .map = 2e-10, .device = 0.2e-10};
  const std::array offers{scheduler::device_offer{&provider, true}};
  const run_outlook outlook{.stream_bytes = gigabyte, .workers = 16, .started = true};
  const auto plan = [&](const run_options& options) {
    return scheduler::plan_run({}, outlook, {host, offers}, history, options);
  };
  for (const auto choice : {device_choice::automatic, device_choice::cpu_gpu}) {
    const run_plan fed = plan({.device = choice});
    CHECK_FALSE(fed.pools);
    CHECK(fed.devices.size() == 1);
    CHECK(fed.repeats_without_devices);
    CHECK_FALSE(fed.models.pool);
    REQUIRE(fed.notes.size() == 1);
    CHECK_THAT(fed.notes[0], contains("decompresses for the GPU"));
  }
  CHECK_FALSE(plan({.device = device_choice::automatic, .strict = true}).repeats_without_devices);
  CHECK_FALSE(plan({.device = device_choice::gpu}).repeats_without_devices);
  history.reading->map = 0;
  CHECK(plan({.device = device_choice::automatic}).devices.empty());
}

}  // namespace duomap::test::scheduler_stream_plan_test
