// The limits of the current device that launches depend on. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace duomap::gpu {

/// The limits of the calling thread's current device.
struct device_limits {
  unsigned multiprocessors = 0;
  std::uint64_t shared_per_block = 0;           ///< bytes that a block can have, dynamic and static together
  std::uint64_t shared_per_multiprocessor = 0;  ///< bytes of all blocks of a multiprocessor together

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

/// Lets a kernel be launched with all the shared memory that a block of the device can have, and returns the
/// number of bytes left for dynamic shared memory. It allows all of it, because the limit belongs to the
/// kernel and not to a launch: another thread may be about to launch the kernel with more.
/// `kernel`, here and below: a kernel of the program, or a cudaKernel_t as a const void*.
template <class Kernel>
std::uint64_t allow_all_shared_memory(Kernel* kernel, const device_limits& has) {
  cudaFuncAttributes uses{};
  check(cudaFuncGetAttributes(&uses, kernel), "asking what a kernel uses");
  const std::uint64_t most = has.shared_per_block - uses.sharedSizeBytes;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)),
        [&] { return "allowing " + std::to_string(most) + " bytes of shared memory in a block"; });
  return most;
}

/// Lets a kernel be launched with `bytes` of dynamic shared memory, unless it already may. Asks the kernel
/// each time: since CUDA 13 each object file has its own kernel of a template, and the linker may take the
/// function that allows memory from one file and the function that launches from another.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::uint64_t bytes) {
  constexpr std::uint64_t always_allowed = 48 << 10;
  if (bytes <= always_allowed) return;
  cudaFuncAttributes uses{};
  check(cudaFuncGetAttributes(&uses, kernel), "asking what a kernel uses");
  if (static_cast<std::uint64_t>(uses.maxDynamicSharedSizeBytes) < bytes)
    allow_all_shared_memory(kernel, device_limits::current());
}

/// Returns how many blocks of a kernel a multiprocessor runs at once, at least 1, each with `shared_bytes` of
/// dynamic shared memory. Allows the kernel to use that memory.
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
