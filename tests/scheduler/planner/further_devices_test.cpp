// Tests how many of several devices take part in runs and jobs.
#include "scheduler/planner/further_devices.hpp"

#include "scheduler/planner/resident_plan.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/planner/synthetic_machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::scheduler_further_devices_test {
namespace {

constexpr std::uint64_t gigabyte = 1'000'000'000;

}  // namespace

TEST_CASE("further devices: a job gets as many as pay, those that are started, and room for its data",
          "[planner]") {
  synthetic_provider provider(4);
  provider.known = true;
  provider.memory_bytes = 8 * gigabyte;
  const std::array offers{scheduler::device_offer{&provider, true}};
  std::vector<std::string> notes;
  const auto devices = [&](std::size_t most, std::uint64_t bytes) {
    notes.clear();
    return scheduler::plan_resident_devices(device_choice::gpu, offers, notes, {}, most, bytes).size();
  };
  CHECK(devices(1, gigabyte) == 1);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("device 1, device 2, device 3 not started: "));
  CHECK(devices(3, gigabyte) == 3);
  CHECK(devices(every_device, gigabyte) == 4);
  CHECK(notes.empty());
  CHECK(devices(1, 6 * gigabyte) == 1);
  CHECK(devices(1, 7 * gigabyte) == 2);
  CHECK(devices(1, 20 * gigabyte) == 4);
  CHECK(devices(1, 200 * gigabyte) == 4);
  provider.started = true;
  provider.started_devices = 2;
  CHECK(devices(1, gigabyte) == 2);
}

TEST_CASE("further devices: a job that is expected to be long has paid for several", "[planner]") {
  const auto most = [](double step, std::uint32_t steps) {
    return scheduler::plan_resident_start(device_choice::gpu, false, gigabyte, 16,
                                          scheduler::time_estimate{10 * step, step}, steps)
        .most_devices;
  };
  CHECK(most(1e-4, 10) == 1);
  CHECK(most(5e-3, 10) == 2);
  CHECK(most(100e-3, 10) > 4);
  // 0 steps means that their number is unknown.
  CHECK(most(1e-4, 0) == every_device);
}

}  // namespace duomap::test::scheduler_further_devices_test
