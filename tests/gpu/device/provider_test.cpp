// Tests which GPUs a run gets, and the reasons for the others.
#include "gpu/device/provider.hpp"

#include "core/error.hpp"
#include "gpu/device/device.hpp"
#include "scheduler/planner/device_plan.hpp"
#include "tests/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::gpu_device_provider_test {
namespace {

scheduler::device_plan plan_gpus(device_choice choice, bool has_code, const scheduler::run_outlook& outlook) {
  const scheduler::device_offer gpus{&gpu::provider(), has_code};
  return scheduler::plan_devices(choice, std::span(&gpus, 1), outlook);
}

scheduler::run_outlook bytes_outlook(std::uint64_t bytes) {
  return {.direct_bytes = bytes, .addressable_units = bytes, .workers = 4};
}

}  // namespace

TEST_CASE("the GPUs that are listed are those that were discovered", "[availability]") {
  const device_list& listed = gpu::provider().list();
  CHECK(listed.reason == gpu::discover().reason);
  REQUIRE(listed.devices.size() == gpu::discover().devices.size());
  for (std::size_t i = 0; i < listed.devices.size(); ++i) {
    const gpu::device_info& found = gpu::discover().devices[i];
    CHECK(listed.devices[i].index == found.index);
    CHECK(listed.devices[i].id == found.uuid);
    CHECK(listed.devices[i].label == "gpu " + std::to_string(found.index));
    CHECK(listed.devices[i].name == "gpu " + std::to_string(found.index) + " (" + found.name + ")");
  }
}

TEST_CASE("a child of a process that has used CUDA has no GPU, and says why", "[availability]") {
  static_cast<void>(gpu::discover());
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const device_provider& here = gpu::provider();
    const bool none = here.list().devices.empty() && here.list().reason.find("forked") != std::string::npos &&
                      here.unlisted().empty() && !here.any_started() &&
                      !here.start_in_background({}, every_device);
    ::_exit(none ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("GPUs that nobody wanted at first are started when they are wanted", "[gpu][availability]") {
  if (no_gpu()) return;
  const device_provider& here = gpu::provider();
  const auto start = [&](std::span<const int> only) {
    CHECK(here.start_in_background(only, every_device));
    while (here.start_seconds_left()) std::this_thread::yield();
    for (const listed_device& one : here.list().devices) {
      if (only.empty() || one.index == only[0]) CHECK(here.is_started(one.index));
    }
  };
  const std::vector<listed_device>& all = here.list().devices;
  for (const listed_device& one : all) start(std::array{one.index});
  start({});
  start(std::array{all.front().index});
  here.leave_background();
}

TEST_CASE("so many GPUs are started as are wanted, those that are there counted", "[gpu][availability]") {
  if (no_gpu()) return;
  const device_provider& here = gpu::provider();
  const auto started = [&] {
    while (here.start_seconds_left()) std::this_thread::yield();
    return static_cast<std::size_t>(std::ranges::count_if(
        here.list().devices, [&](const listed_device& one) { return here.is_started(one.index); }));
  };
  for (std::size_t most = 1; most <= here.list().devices.size(); ++most) {
    const std::size_t before = started();
    CHECK(here.start_in_background({}, most));
    CHECK(started() == std::max(before, most));
  }
  here.leave_background();
}

TEST_CASE("a run that wants no GPU needs no reason", "[availability]") {
  const auto plan = plan_gpus(device_choice::cpu, true, {.direct_bytes = std::uint64_t{1} << 40});
  CHECK(plan.pools);
  CHECK(plan.devices.empty());
  CHECK(plan.note == "");
}

TEST_CASE("a run that takes what there is notes why there is no GPU", "[availability]") {
  for (const bool has_code : {false, true}) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
      const auto plan = plan_gpus(device_choice::automatic, has_code, bytes_outlook(bytes));
      CHECK(plan.pools);
      if (!plan.devices.empty()) {
        CHECK(has_code);
        CHECK((plan.unlisted || gpu::provider().any_started() ||
               bytes >= 4 * scheduler::measured_thresholds.cold_bytes_per_worker()));
      } else {
        CHECK_THAT(plan.note, contains("no GPU used: "));
      }
    }
  }
  if (gpu::toolkit_version() == 0) return;
  const gpu::discovery& found = gpu::discover();
  CHECK_THAT(plan_gpus(device_choice::automatic, false, bytes_outlook(1)).note,
             contains(found.devices.empty() ? found.reason : "no GPU code"));
}

TEST_CASE("a run that demands a GPU gets it, or fails with the reason and the way out", "[availability]") {
  const gpu::discovery& found = gpu::discover();
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(plan_gpus(choice, false, {}), device_unavailable);
    CHECK_THROWS_WITH(plan_gpus(choice, false, {}),
                      contains("no GPU can be used: ") && contains("--device cpu or auto"));
    if (found.devices.empty()) {
      CHECK_THROWS_WITH(plan_gpus(choice, true, {}), contains(found.reason));
    } else {
      const auto plan = plan_gpus(choice, true, {});
      CHECK(plan.pools == (choice == device_choice::cpu_gpu));
      CHECK(plan.devices.size() == found.devices.size());
    }
  }
}

}  // namespace duomap::test::gpu_device_provider_test
