// Asks CUDA for the peak of the device's memory pool, and resets it.
#include "gpu/runtime/memory_peak.hpp"

#if DUOMAP_HAS_CUDA
#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>
#endif

namespace duomap::gpu {

std::uint64_t take_memory_peak([[maybe_unused]] int device_index) {
#if DUOMAP_HAS_CUDA
  cudaMemPool_t pool = nullptr;
  std::uint64_t most = 0;
  std::uint64_t none = 0;
  check(cudaDeviceGetDefaultMemPool(&pool, device_index), "asking for the device's memory pool");
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most),
        "asking for the most memory used of the device's pool");
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none),
        "forgetting the most memory used of the device's pool");
  return most;
#else
  return 0;
#endif
}

}  // namespace duomap::gpu
