// Reports CUDA's errors in destructors, which must not throw them.
#pragma once

#include "gpu/runtime/error.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>

namespace duomap::gpu {

/// Reports a failed release on standard error. Silent if the device is lost, because the call that lost it
/// has thrown, and if the process is ending, because CUDA has then released everything itself.
inline void check_release(cudaError_t status, const char* what) noexcept {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  if (status == cudaErrorCudartUnloading || is_sticky(static_cast<int>(status))) return;
  std::fprintf(stderr, "duomap: %s failed: %s, %s\n", what, cudaGetErrorName(status),
               cudaGetErrorString(status));
}

}  // namespace duomap::gpu
