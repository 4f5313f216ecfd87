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
  const auto plan = plan_devices(device_choice::cpu, true, {std::uint64_t{1} << 40}, 1);
  CHECK(plan.cpu);
  CHECK(plan.gpus.empty());
  CHECK(plan.note == "");
}

TEST_CASE("a run that takes what there is notes why there is no GPU", "[availability]") {
  for (const bool has_code : {false, true}) {
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
      const auto plan = plan_devices(device_choice::automatic, has_code, {bytes}, 4);
      CHECK(plan.cpu);
      if (!plan.gpus.empty()) {
        CHECK(has_code);
        CHECK(bytes >= gpu::auto_bytes_when_asked);
      } else {
        CHECK_THAT(plan.note, contains("no GPU used: "));
      }
    }
  }
  if (gpu::toolkit_version() == 0) return;
  CHECK_THAT(plan_devices(device_choice::automatic, false, {}, 4).note, contains("no GPU code"));
  // Some test before may have asked CUDA.
  const bool asked = gpu::was_discovered();
  CHECK_THAT(plan_devices(device_choice::automatic, true, {std::uint64_t{10} << 20}, 4).note,
             contains("10 MiB") && contains(asked ? "16 MiB" : "1024 MiB") && contains("4 CPU threads"));
  CHECK_THAT(plan_devices(device_choice::automatic, true, {}, 4).note, contains("no input in memory"));
}

TEST_CASE("what the CPU would need decides, when it is known", "[availability]") {
  const std::uint64_t much = std::uint64_t{1} << 40;
  const auto quick = plan_devices(device_choice::automatic, true, {much, 1e-3}, 4);
  CHECK(quick.gpus.empty());
  if (gpu::toolkit_version() == 0) return;
  CHECK_THAT(quick.note, contains("the CPU needs about 1 ms"));
  static_cast<void>(gpu::discover());
  REQUIRE(gpu::was_discovered());
  const auto slow = plan_devices(device_choice::automatic, true, {100, gpu::auto_seconds_when_asked}, 4);
  CHECK(slow.gpus.size() == gpu::discover().devices.size());
}

TEST_CASE("a run that demands a GPU gets it, or fails with the reason and the way out", "[availability]") {
  const gpu::discovery& found = gpu::discover();
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(plan_devices(choice, false, {}, 4), device_unavailable);
    CHECK_THROWS_WITH(plan_devices(choice, false, {}, 4),
                      contains("no GPU can be used: ") && contains("--device cpu or auto"));
    if (found.devices.empty()) {
      CHECK_THROWS_WITH(plan_devices(choice, true, {}, 4), contains(found.reason));
    } else {
      const auto plan = plan_devices(choice, true, {}, 4);
      CHECK(plan.cpu == (choice == device_choice::cpu_gpu));
      CHECK(plan.gpus.size() == found.devices.size());
    }
  }
}
