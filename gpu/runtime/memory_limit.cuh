// Limits the device memory of an engine. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace duomap::gpu {

/// Returns `wanted` bytes if it is not 0, else seven eighths of the current device's free memory. The rest is
/// for the chunks and for other users of the device.
[[nodiscard]] inline std::uint64_t memory_limit(std::uint64_t wanted) {
  if (wanted > 0) return wanted;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the device's free memory");
  return free_bytes / 8 * 7;
}

}  // namespace duomap::gpu
