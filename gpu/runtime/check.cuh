// Checks the status that CUDA's functions return. For host code; needs CUDA's headers, but g++ compiles it
// too.
#pragma once

#include "core/error.hpp"
#include "gpu/runtime/error.hpp"

#include <cuda_runtime_api.h>

#include <concepts>
#include <string>

namespace duomap::gpu {

/// Does nothing for cudaSuccess, else throws as throw_failure() does. `what` names the attempted action: a
/// text, or a function that makes a text with amounts in it, so that success costs no string.
///   check(cudaFree(nullptr), [&] { return "making a context on GPU " + std::to_string(device_index); });
inline void check(cudaError_t status, const char* what, call_site where = call_site::current()) {
  if (status == cudaSuccess) return;
  // Clears the error, which the runtime would report again at the next launch, which has not failed.
  static_cast<void>(cudaGetLastError());
  throw_failure({static_cast<int>(status), cudaGetErrorName(status), cudaGetErrorString(status)}, what,
                where);
}

template <std::invocable What>
void check(cudaError_t status, const What& what, call_site where = call_site::current()) {
  if (status != cudaSuccess) check(status, std::string(what()).c_str(), where);
}

/// Makes a GPU the calling thread's current device.
inline void use_gpu(int device, call_site where = call_site::current()) {
  check(
      cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); }, where);
}

}  // namespace duomap::gpu
