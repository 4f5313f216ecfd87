#include "gpu/feed/host_registration.hpp"

#if DUOMAP_HAS_CUDA

#include "gpu/device/in_process.hpp"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>

#include <string>
#include <system_error>
#include <thread>

namespace duomap::gpu {
namespace {

// CUDA's functions take what they do not change as if they did.
void* address_of(const char* data) {
  return const_cast<char*>(data);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string lock_on_this_thread(byte_view memory) {
  cudaError_t status = cudaSuccess;
  // A mapping that can only be read, of a file say, is refused without the second.
  for (const unsigned flags :
       {unsigned{cudaHostRegisterPortable}, unsigned{cudaHostRegisterPortable | cudaHostRegisterReadOnly}}) {
    status = cudaHostRegister(address_of(memory.data), memory.size, flags);
    static_cast<void>(cudaGetLastError());
    if (status != cudaSuccess) continue;
    // That has made a context where there was none, and later runs need not wait for one.
    int device = 0;
    if (cudaGetDevice(&device) == cudaSuccess) in_process(device).has_context = true;
    return "";
  }
  return std::to_string(memory.size) + " bytes could not be page-locked: " + cudaGetErrorName(status) + ", " +
         cudaGetErrorString(status);
}

}  // namespace

std::string lock_pages(byte_view memory) {
  std::string refusal;
  // The caller's thread is not to have a current device that it has not asked for.
  try {
    std::thread([&] { refusal = lock_on_this_thread(memory); }).join();
  } catch (const std::system_error& none_left) {
    return std::string("the system started no thread to page-lock memory (") + none_left.what() + ")";
  }
  return refusal;
}

void unlock_pages(const char* begin) noexcept {
  check_release(cudaHostUnregister(address_of(begin)), "unlocking input");
}

}  // namespace duomap::gpu

#else

namespace duomap::gpu {

// Nobody asks where there are no GPUs.
std::string lock_pages(byte_view /*memory*/) { return "this program was built without CUDA"; }

void unlock_pages(const char* /*begin*/) noexcept {}

}  // namespace duomap::gpu

#endif
