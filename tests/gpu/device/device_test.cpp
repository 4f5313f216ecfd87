// Tests that the GPUs of this machine are found, whichever it has.
#include "gpu/device/device.hpp"

#include "core/error.hpp"
#include "gpu/device/driver_query.hpp"
#include "gpu/runtime/error.hpp"
#include "tests/catch.hpp"

#include <thread>
#include <vector>

namespace duomap::test::gpu_device_device_test {

namespace gpu = duomap::gpu;

TEST_CASE("discovery gives devices or a reason", "[gpu]") {
  const gpu::discovery& found = gpu::discover();
  CHECK(found.devices.empty() == !found.reason.empty());
  CHECK(&gpu::discover() == &found);
  for (const auto& device : found.devices) {
    CHECK_FALSE(device.name.empty());
    CHECK(device.major > 0);
    CHECK(device.multiprocessors > 0);
    CHECK(device.memory_bytes > 0);
    CHECK(device.pci_bus.size() == 12);
  }
}

TEST_CASE("discovery from several threads at once is one", "[gpu]") {
  std::vector<const gpu::discovery*> seen(8, nullptr);
  std::vector<std::thread> threads;
  for (auto& result : seen) threads.emplace_back([&result] { result = &gpu::discover(); });
  for (auto& thread : threads) thread.join();
  for (const auto* result : seen) CHECK(result == seen.front());
}

TEST_CASE("facts agree with the verdict", "[gpu]") {
  const gpu::driver_facts facts = gpu::query_driver();
  CHECK(facts.built_with_cuda == (gpu::toolkit_version() != 0));
  CHECK((classify(facts).status == gpu::driver_status::ready) == !gpu::discover().devices.empty());
  if (facts.built_with_cuda) CHECK_FALSE(facts.error_name.empty());
}

TEST_CASE("a device that is not there has a problem and no memory", "[gpu]") {
  CHECK_FALSE(gpu::query_device(999).problem.empty());
  CHECK_THROWS_AS(gpu::read_memory(999), duomap::error);
}

TEST_CASE("memory of the devices that are there", "[gpu]") {
  for (const auto& device : gpu::discover().devices) {
    const gpu::memory_info memory = gpu::read_memory(device.index);
    CHECK(memory.free_bytes > 0);
    CHECK(memory.free_bytes <= memory.total_bytes);
  }
}

}  // namespace duomap::test::gpu_device_device_test
