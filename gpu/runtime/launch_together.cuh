// Launches kernels whose blocks wait for each other.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"

#include <cuda_runtime.h>

namespace duomap::gpu {

/// Launches a kernel that runs all its blocks at once (a cooperative launch), as launch() does. Throws if the
/// device has no room for all blocks. The arguments must have the kernel's parameter types.
template <class... Parameters>
void launch_together(void (*kernel)(Parameters...), const launch_shape& shape, Parameters... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  config.attrs = &together;
  config.numAttrs = 1;
  const auto describe = [&shape] {
    return shape.describe() + ", all at once";
  };
  check(cudaLaunchKernelEx(&config, kernel, arguments...), describe, shape.where);
  if (synchronous_launches()) check(cudaStreamSynchronize(shape.stream), describe, shape.where);
}

}  // namespace duomap::gpu
