#include "gpu/device/device.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

// At every wait, the pool gives memory above the limit back to the driver. A buffer that needs this memory
// again then waits for all queued copies: 6.5 ms in a run of sums by key (decision 20).
void keep_released_device_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  check(cudaGetDevice(&device), "asking for the current device");
  std::uint64_t most = std::uint64_t{1} << 30;
  for (const device_info& one : discover().devices) {
    if (one.index == device) most = std::max(most, one.memory_bytes / 16);
  }
  check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the device's memory pool");
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most),
        "setting what the device's memory pool keeps");
}

}  // namespace duomap::gpu
