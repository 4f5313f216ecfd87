// Asks CUDA which GPU owns memory, and waits for streams. Needs CUDA's headers where there is CUDA.
#include "gpu/feed/device_memory.hpp"

#if DUOMAP_HAS_CUDA

#include "core/own_thread.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <string>

namespace duomap::gpu {

std::optional<int> gpu_of(const void* at) {
  note_use_of_cuda();
  cudaPointerAttributes facts{};
  check(cudaPointerGetAttributes(&facts, at), "asking where memory lies");
  if (facts.type != cudaMemoryTypeDevice && facts.type != cudaMemoryTypeManaged) return std::nullopt;
  return facts.device;
}

void wait_for_stream(int device, unsigned long long stream) {
  // The wait has a thread of its own, because use_gpu() changes its thread's current device.
  on_own_thread("to wait for a stream of GPU " + std::to_string(device), [&] {
    use_gpu(device);
    // CUDA's own handles: 1 is the legacy stream. 2 means a different stream on each thread, so wait for the
    // device.
    const auto handle = reinterpret_cast<cudaStream_t>(stream);  // NOLINT(performance-no-int-to-ptr)
    check(handle == cudaStreamPerThread ? cudaDeviceSynchronize() : cudaStreamSynchronize(handle),
          "waiting for the stream of an array");
  });
}

}  // namespace duomap::gpu

#else

namespace duomap::gpu {

std::optional<int> gpu_of(const void* /*at*/) { return std::nullopt; }

void wait_for_stream(int /*device*/, unsigned long long /*stream*/) {}

}  // namespace duomap::gpu

#endif
