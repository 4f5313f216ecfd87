// Loads linked kernels on the current GPU, finds them by name, and allocates the flag that they set.
#include "linked_kernels.hpp"

#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

namespace duomap::python {

linked_kernels::~linked_kernels() {
  // Unloading may fail, because CUDA may have shut down already at the end of the process.
  for (const auto& [capability, library] : libraries_)
    static_cast<void>(cudaLibraryUnload(static_cast<cudaLibrary_t>(library)));
}

const void* linked_kernels::instead_of(const void* kernel, std::uint64_t shared_bytes) {
  int device = 0;
  gpu::check(cudaGetDevice(&device), "asking for the current GPU");
  const std::lock_guard held(mutex_);
  const void*& found = found_[{device, kernel}];
  if (found == nullptr) {
    int major = 0, minor = 0;
    gpu::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
               "asking for the compute capability");
    gpu::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
               "asking for the compute capability");
    const int capability = 10 * major + minor;
    void*& library = libraries_[capability];
    if (library == nullptr) {
      const auto image = std::ranges::find(images_, capability, &linked_image::capability);
      if (image == images_.end()) throw usage_error("the function was linked for GPUs of another kind");
      cudaLibrary_t loaded = nullptr;
      gpu::check(cudaLibraryLoadData(&loaded, image->cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                 "loading the kernels of a Python function");
      library = loaded;
    }
    const char* name = nullptr;
    gpu::check(cudaFuncGetName(&name, kernel), "asking for the name of a kernel");
    cudaKernel_t same = nullptr;
    gpu::check(cudaLibraryGetKernel(&same, static_cast<cudaLibrary_t>(library), name),
               [&] { return "finding the kernel " + std::string(name); });
    found = same;
  }
  gpu::allow_shared_memory(found, shared_bytes);
  return found;
}

kernel_flag::kernel_flag() {
  void* word = nullptr;
  gpu::check(cudaHostAlloc(&word, sizeof *word_, cudaHostAllocPortable), "allocating page-locked memory");
  word_ = static_cast<unsigned*>(word);
  *word_ = 0;
}

kernel_flag::~kernel_flag() { static_cast<void>(cudaFreeHost(word_)); }

}  // namespace duomap::python
