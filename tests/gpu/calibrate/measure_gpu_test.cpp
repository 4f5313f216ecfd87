// Tests that measuring a GPU gives a finite number for every figure. Their sizes depend on the machine.
#include "gpu/calibrate/measure_gpu.hpp"

#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace duomap::test::gpu_calibrate_measure_gpu_test {
namespace {

gpu::gpu_measuring quick() {
  gpu::gpu_measuring how;
  how.samples = 2;
  how.sizes = {64 << 10, 1 << 20, std::uint64_t{1} << 62};  // the last is too large, so it is left out
  how.while_cores_read = [](const auto& body) {
    body();
    return 1e9;
  };
  how.reading_cores = 3;
  return how;
}

void require_sane(const std::vector<machine_figure>& figures) {
  for (const machine_figure& one : figures) {
    CAPTURE(info(one.term).id, one.at, one.value);
    CHECK(std::isfinite(one.value));
    // The figure for graph nodes is the difference of two times, which may be 0.
    CHECK((one.value > 0 || one.term == machine_property::graph_node));
    CHECK(one.samples > 0);
  }
}

}  // namespace

TEST_CASE("a GPU is measured on every device", "[gpu][sanitize][machine]") {
  if (no_gpu()) return;
  for (const gpu::device_info& device : gpu::discover().devices) {
    const auto figures = gpu::measure_gpu(device.index, quick());
    require_sane(figures);
    for (const machine_property term :
         {machine_property::context_start, machine_property::launch, machine_property::launch_and_wait,
          machine_property::graph_node, machine_property::graph_and_wait, machine_property::lock_memory,
          machine_property::allocate_locked})
      CHECK(find(figures, term) != nullptr);
    for (const machine_property term :
         {machine_property::to_device_locked, machine_property::from_device_locked,
          machine_property::to_device_pageable, machine_property::from_device_pageable}) {
      CHECK(find(figures, term, 64 << 10) != nullptr);
      CHECK(find(figures, term, 1 << 20) != nullptr);
      CHECK(find(figures, term, std::uint64_t{1} << 62) == nullptr);
    }
    CHECK(find(figures, machine_property::both_directions, 1 << 20) != nullptr);
    CHECK(find(figures, machine_property::to_device_busy, 1 << 20) != nullptr);
    REQUIRE(find(figures, machine_property::read_while_copying, 3) != nullptr);
    CHECK(find(figures, machine_property::read_while_copying, 3)->value == 1e9);
    CHECK(most(figures, machine_property::to_device_from_node) == 0);  // one node: nothing to compare
  }
}

TEST_CASE("a GPU is measured from every node", "[gpu][machine]") {
  if (no_gpu()) return;
  gpu::gpu_measuring how = quick();
  how.while_cores_read = nullptr;
  how.nodes = {{4, {0}}, {7, {0}}};  // pretends that CPU 0 is two nodes
  const auto figures = gpu::measure_gpu(gpu::discover().devices.front().index, how);
  require_sane(figures);
  CHECK(find(figures, machine_property::to_device_from_node, 4) != nullptr);
  CHECK(find(figures, machine_property::to_device_from_node, 7) != nullptr);
  CHECK(most(figures, machine_property::to_device_busy) == 0);
}

TEST_CASE("a GPU has a UUID, and no two have the same", "[gpu][machine]") {
  if (no_gpu()) return;
  std::vector<std::string> seen;
  for (const gpu::device_info& device : gpu::discover().devices) {
    CHECK(device.uuid.size() == 40);
    CHECK(device.uuid.substr(0, 4) == "GPU-");
    CHECK(std::find(seen.begin(), seen.end(), device.uuid) == seen.end());
    seen.push_back(device.uuid);
  }
  CHECK(gpu::discovered({gpu::discover().devices.front().index, 9999}).size() == 1);
}

TEST_CASE("measuring a GPU that there is not is an error", "[machine]") {
  CHECK_THROWS_AS(gpu::measure_gpu(9999, quick()), std::runtime_error);
}

}  // namespace duomap::test::gpu_calibrate_measure_gpu_test
