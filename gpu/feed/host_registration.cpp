// Page-locks host memory through CUDA, and unlocks it.
#include "gpu/feed/host_registration.hpp"

#if DUOMAP_HAS_CUDA

#include "gpu/device/gpu_state.hpp"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>

#include <string>
#include <system_error>
#include <thread>

namespace duomap::gpu {
namespace {

// CUDA takes a pointer to non-const memory here, although it does not change the bytes.
void* address_of(const char* data) {
  return const_cast<char*>(data);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::string lock_on_this_thread(byte_view memory) {
  cudaError_t status = cudaSuccess;
  // CUDA refuses a read-only mapping, such as a file's, unless it gets the second set of flags.
  for (const unsigned flags :
       {unsigned{cudaHostRegisterPortable}, unsigned{cudaHostRegisterPortable | cudaHostRegisterReadOnly}}) {
    status = cudaHostRegister(address_of(memory.data), memory.size, flags);
    static_cast<void>(cudaGetLastError());
    if (status != cudaSuccess) continue;
    // Locking has made a context if there was none, so later runs need not wait for one.
    int device = 0;
    if (cudaGetDevice(&device) == cudaSuccess) state_of_gpu(device).has_context = true;
    return "";
  }
  return std::to_string(memory.size) + " bytes could not be page-locked: " + cudaGetErrorName(status) + ", " +
         cudaGetErrorString(status);
}

}  // namespace

std::string lock_pages(byte_view memory) {
  std::string refusal;
  // The work has a thread of its own, because locking may change the current device of the caller's thread.
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

// Nobody calls this function: page_lock locks memory only if there are GPUs.
std::string lock_pages(byte_view /*memory*/) { return "this program was built without CUDA"; }

void unlock_pages(const char* /*begin*/) noexcept {}

}  // namespace duomap::gpu

#endif
