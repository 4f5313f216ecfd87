// Launches kernels and checks every launch. No other file launches a kernel.
#pragma once

#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace duomap::gpu {

/// Whether the environment variable DUOMAP_CUDA_SYNC asks for synchronous launches; nullptr: not set.
[[nodiscard]] constexpr bool asks_for_synchronous_launches(const char* value) {
  return value != nullptr && std::string_view(value) == "1";
}

/// Whether every launch waits for its kernel, so that a kernel's error is reported at its own launch and not
/// at a later call. The environment variable DUOMAP_CUDA_SYNC=1 asks for it, for debugging. The first call
/// decides.
[[nodiscard]] inline bool synchronous_launches() {
  static const bool synchronous = asks_for_synchronous_launches(std::getenv("DUOMAP_CUDA_SYNC"));
  return synchronous;
}

/// Begins a kernel that is launched early: waits until the writes of earlier kernels are visible.
__device__ inline void wait_for_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// Whether a kernel's code for this device waits in wait_for_earlier_kernels(), so that it may start early.
template <class Kernel>
[[nodiscard]] bool waits_for_earlier(Kernel* kernel) {
  cudaFuncAttributes has{};
  check(cudaFuncGetAttributes(&has, kernel), "asking what a kernel was compiled for");
  return has.ptxVersion >= 90;
}

/// The size of a launch, and its stream. Its constructor takes the call site as a default argument, because
/// launch() cannot have a default argument behind the kernel's arguments.
struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
  call_site where;
  bool early = false;  ///< starts the kernel while the kernel before it ends

  launch_shape(dim3 blocks, dim3 threads, std::size_t dynamic_shared_bytes, cudaStream_t on,
               call_site called_from = call_site::current())
    : grid(blocks), block(threads), shared_bytes(dynamic_shared_bytes), stream(on), where(called_from) {}

  /// "a launch of 80 x 1 x 1 blocks of 256 x 1 x 1 threads with 4096 bytes of shared memory".
  [[nodiscard]] std::string describe() const {
    const auto size = [](dim3 d) {
      return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
    };
    return "a launch of " + size(grid) + " blocks of " + size(block) + " threads with " +
           std::to_string(shared_bytes) + " bytes of shared memory";
  }
};

/// Queues kernel(arguments...) and returns without waiting (unless synchronous_launches()):
///   launch(copy_words, element_grid(words, on), to, from, words);
/// Does nothing for an empty grid, so that an empty input needs no special case. Throws as check() does and
/// names the caller. It may report the error of an earlier kernel, because kernels run later than they are
/// queued.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const launch_shape& shape, Arguments&&... arguments) {
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return;
  allow_shared_memory(kernel, shape.shared_bytes);
  const auto describe = [&shape] {
    return shape.describe();
  };
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t how{shape.grid,   shape.block, shape.shared_bytes,
                               shape.stream, &early,      shape.early};
  check(cudaLaunchKernelEx(&how, kernel, std::forward<Arguments>(arguments)...), describe, shape.where);
  if (!synchronous_launches()) return;
  // A stream that is being captured into a graph has run nothing and must not be waited for.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(shape.stream, &capture), describe, shape.where);
  if (capture == cudaStreamCaptureStatusNone)
    check(cudaStreamSynchronize(shape.stream), describe, shape.where);
}

}  // namespace duomap::gpu
