// What the current device has, as far as launches depend on it. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace duomap::gpu {

/// Of the calling thread's current device.
struct device_limits {
  unsigned multiprocessors = 0;
  std::uint64_t shared_per_block = 0;  ///< dynamic and static shared memory a block can have, in bytes
  std::uint64_t shared_per_multiprocessor = 0;  ///< of all its blocks together

  [[nodiscard]] static device_limits current() {
    int device = 0;
    int multiprocessors = 0;
    int shared = 0;
    int shared_by_all = 0;
    check(cudaGetDevice(&device), "asking for the current device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "asking for the number of multiprocessors");
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "asking for the shared memory of a block");
    check(cudaDeviceGetAttribute(&shared_by_all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
          "asking for the shared memory of a multiprocessor");
    return {static_cast<unsigned>(multiprocessors), static_cast<std::uint64_t>(shared),
            static_cast<std::uint64_t>(shared_by_all)};
  }
};

/// Lets a kernel be launched with all the shared memory that a block of the device can have, and returns how
/// many bytes of it are left for dynamic shared memory. All and not what the caller needs, because the limit
/// belongs to the kernel and not to a launch, and another thread may be about to launch it with more.
/// `kernel`: a kernel of the program, or a cudaKernel_t as a const void*; also below.
template <class Kernel>
std::uint64_t allow_all_shared_memory(Kernel* kernel, const device_limits& has) {
  cudaFuncAttributes uses{};
  check(cudaFuncGetAttributes(&uses, kernel), "asking what a kernel uses");
  const std::uint64_t most = has.shared_per_block - uses.sharedSizeBytes;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)),
        [&] { return "allowing " + std::to_string(most) + " bytes of shared memory in a block"; });
  return most;
}

/// Lets a kernel be launched with `bytes` of dynamic shared memory, unless it may be already. What allowed it
/// for this kernel may have done so for another: since CUDA 13 each object file has a kernel of its own of a
/// template, and the linker may take the function that asks from one and the one that launches from another.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::uint64_t bytes) {
  constexpr std::uint64_t always_allowed = 48 << 10;
  if (bytes <= always_allowed) return;
  cudaFuncAttributes uses{};
  check(cudaFuncGetAttributes(&uses, kernel), "asking what a kernel uses");
  if (static_cast<std::uint64_t>(uses.maxDynamicSharedSizeBytes) < bytes)
    allow_all_shared_memory(kernel, device_limits::current());
}

/// Blocks of a kernel that a multiprocessor runs at once, at least 1, each with `shared_bytes` of dynamic
/// shared memory, which is allowed from now on.
template <class Kernel>
[[nodiscard]] unsigned blocks_at_once(Kernel* kernel, unsigned threads, std::uint64_t shared_bytes,
                                      const device_limits& has) {
  allow_all_shared_memory(kernel, has);
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared_bytes),
      "asking how many blocks run at once");
  return blocks > 0 ? static_cast<unsigned>(blocks) : 1;
}

}  // namespace duomap::gpu
