// Which devices a run gets, and why not others, in words.
#include "core/error.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace duomap;
using gpu::plan_devices;
using test::contains;

TEST_CASE("a run that wants no GPU needs no reason", "[availability]") {
  const auto plan = plan_devices(device_choice::cpu, true, std::uint64_t{1} << 40, 1);
  CHECK(plan.cpu);
  CHECK(plan.gpus.empty());
  CHECK(plan.note == "");
}

TEST_CASE("a run that takes what there is notes why there is no GPU", "[availability]") {
  for (const bool has_code : {false, true}) {
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
      const auto plan = plan_devices(device_choice::automatic, has_code, bytes, 4);
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
  CHECK_THAT(plan_devices(device_choice::automatic, false, 0, 4).note, contains("no GPU code"));
  CHECK_THAT(plan_devices(device_choice::automatic, true, std::uint64_t{100} << 20, 4).note,
             contains("100 MiB") && contains("1024 MiB") && contains("4 CPU threads"));
}

TEST_CASE("a run that demands a GPU gets it, or fails with the reason and the way out", "[availability]") {
  const gpu::discovery& found = gpu::discover();
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(plan_devices(choice, false, 0, 4), device_unavailable);
    CHECK_THROWS_WITH(plan_devices(choice, false, 0, 4),
                      contains("no GPU can be used: ") && contains("--device cpu or auto"));
    if (found.devices.empty()) {
      CHECK_THROWS_WITH(plan_devices(choice, true, 0, 4), contains(found.reason));
    } else {
      const auto plan = plan_devices(choice, true, 0, 4);
      CHECK(plan.cpu == (choice == device_choice::cpu_gpu));
      CHECK(plan.gpus.size() == found.devices.size());
    }
  }
}
