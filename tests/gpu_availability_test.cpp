// Which devices a run gets, and why not others, in words.
#include "core/error.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace duomap;
using gpu::plan_devices;
using test::contains;

namespace {

gpu::run_outlook bytes_outlook(std::uint64_t bytes) {
  return {.direct_bytes = bytes, .addressable_units = bytes, .workers = 4};
}

}  // namespace

TEST_CASE("a run that wants no GPU needs no reason", "[availability]") {
  const auto plan = plan_devices(device_choice::cpu, true, {.direct_bytes = std::uint64_t{1} << 40});
  CHECK(plan.cpu);
  CHECK(plan.gpus.empty());
  CHECK(plan.note == "");
}

TEST_CASE("a run that takes what there is notes why there is no GPU", "[availability]") {
  for (const bool has_code : {false, true}) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
      const auto plan = plan_devices(device_choice::automatic, has_code, bytes_outlook(bytes));
      CHECK(plan.cpu);
      if (!plan.gpus.empty()) {
        CHECK(has_code);
        CHECK(bytes >= 4 * gpu::auto_bytes_per_worker);
      } else {
        CHECK_THAT(plan.note, contains("no GPU used: "));
      }
    }
  }
  if (gpu::toolkit_version() == 0) return;
  CHECK_THAT(plan_devices(device_choice::automatic, false, bytes_outlook(1)).note, contains("no GPU code"));
  CHECK_THAT(plan_devices(device_choice::automatic, true, bytes_outlook(std::uint64_t{100} << 20)).note,
             contains("100 MiB") && contains("1024 MiB") && contains("4 CPU threads"));
  CHECK_THAT(plan_devices(device_choice::automatic, true, {}).note, contains("streams"));
}

TEST_CASE("a run that demands a GPU gets it, or fails with the reason and the way out", "[availability]") {
  const gpu::discovery& found = gpu::discover();
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(plan_devices(choice, false, {}), device_unavailable);
    CHECK_THROWS_WITH(plan_devices(choice, false, {}),
                      contains("no GPU can be used: ") && contains("--device cpu or auto"));
    if (found.devices.empty()) {
      CHECK_THROWS_WITH(plan_devices(choice, true, {}), contains(found.reason));
    } else {
      const auto plan = plan_devices(choice, true, {});
      CHECK(plan.cpu == (choice == device_choice::cpu_gpu));
      CHECK(plan.gpus.size() == found.devices.size());
    }
  }
}

TEST_CASE("what the CPU is believed to take decides, when it is known", "[availability]") {
  if (gpu::toolkit_version() == 0) return;
  const auto note = [](const gpu::run_outlook& outlook) {
    return plan_devices(device_choice::automatic, true, outlook).note;
  };
  const auto is_offered = [&](gpu::run_outlook outlook) {
    // Where there is no GPU, that is the reason then.
    return note(outlook) ==
           (gpu::discover().devices.empty() ? "no GPU used: " + gpu::discover().reason : std::string());
  };
  gpu::run_outlook small = bytes_outlook(1000);
  small.cpu_seconds = 2 * gpu::auto_cold_seconds;
  CHECK(is_offered(small));
  gpu::run_outlook large = bytes_outlook(std::uint64_t{1} << 40);
  large.cpu_seconds = 0.9 * gpu::auto_cold_seconds;
  CHECK_THAT(note(large), contains("expected to take 450 ms, less than the 500 ms") && contains("starting"));
  large.started = true;
  CHECK(is_offered(large));
  large.cpu_seconds = 0.9 * gpu::auto_warm_seconds;
  CHECK_THAT(note(large), contains("expected to take 0.45 ms, less than the 0.5 ms") && contains("using"));
  small = bytes_outlook(1000);
  small.started = true;
  CHECK(is_offered(small));
}
