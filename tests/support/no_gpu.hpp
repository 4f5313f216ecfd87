// Lets a test case pass where there is no GPU, and say why; ctest shows it as skipped (tests/CMakeLists.txt).
#pragma once

#include "gpu/device/device.hpp"
#include "tests/catch.hpp"

namespace duomap::test {

/// True, after a warning, when a test case cannot run here.
[[nodiscard]] inline bool no_gpu() {
  if (!gpu::discover().devices.empty()) return false;
  WARN("skipped, there is no GPU: " << gpu::discover().reason);
  return true;
}

}  // namespace duomap::test
