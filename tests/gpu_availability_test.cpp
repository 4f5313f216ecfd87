// Why a run has no GPU, in words.
#include "core/error.hpp"
#include "gpu/availability.hpp"
#include "gpu/device.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace duomap;
using gpu::why_no_gpu;
using test::contains;

TEST_CASE("a run that wants no GPU needs no reason", "[availability]") {
  CHECK(why_no_gpu(device_choice::cpu) == "");
}

TEST_CASE("a run that takes what there is notes why there is no GPU", "[availability]") {
  CHECK_THAT(why_no_gpu(device_choice::automatic), contains("no GPU used: ") && contains("CPU only"));
}

TEST_CASE("a run that demands a GPU fails with the reason and the way out", "[availability]") {
  for (const auto choice : {device_choice::gpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(why_no_gpu(choice), device_unavailable);
    CHECK_THROWS_WITH(why_no_gpu(choice),
                      contains("no GPU can be used: ") && contains("--device cpu or auto"));
    const gpu::discovery& found = gpu::discover();
    if (found.devices.empty()) CHECK_THROWS_WITH(why_no_gpu(choice), contains(found.reason));
  }
}
