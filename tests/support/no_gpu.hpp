// Lets a test pass with a message where there is no GPU. ctest shows it as skipped (tests/CMakeLists.txt).
#pragma once

#include "gpu/device/device.hpp"
#include "tests/catch.hpp"

namespace duomap::test {

/// True, with a warning, if a test cannot run here for lack of a GPU.
[[nodiscard]] inline bool no_gpu() {
  if (!gpu::discover().devices.empty()) return false;
  WARN("skipped, there is no GPU: " << gpu::discover().reason);
  return true;
}

}  // namespace duomap::test
