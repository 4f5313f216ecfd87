// Loads cuBLAS and looks up its functions.
#include "gpu/blas/cublas_library.hpp"

#include "gpu/blas/cublas.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap::gpu {
namespace {

std::vector<std::string> candidates() {
  if (const char* const named = std::getenv("DUOMAP_CUBLAS"); named != nullptr && *named != '\0')
    return {named};
  return {"libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13", "libcublas.so.12",
          "/usr/local/cuda/lib64/libcublas.so.12"};
}

cublas_library load() {
  cublas_library found;
  void* library = nullptr;
  std::string path;
  std::string first_problem;
  for (const std::string& one : candidates()) {
    library = ::dlopen(one.c_str(), RTLD_NOW | RTLD_LOCAL);
    path = one;
    if (library != nullptr) break;
    if (first_problem.empty()) first_problem = ::dlerror();
  }
  if (library == nullptr) {
    found.problem = "cuBLAS cannot be loaded (" + first_problem +
                    "); install NVIDIA's package libcublas of CUDA 12 or 13, or name the file in the "
                    "environment variable DUOMAP_CUBLAS";
    return found;
  }
  const auto find = [&](auto& function, const char* name) {
    void* const address = ::dlsym(library, name);
    if (address == nullptr && found.problem.empty())
      found.problem = "cuBLAS in " + path + " has no function " + name + "; CUDA 12 or newer is needed";
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  find(found.create, "cublasCreate_v2");
  find(found.destroy, "cublasDestroy_v2");
  find(found.set_stream, "cublasSetStream_v2");
  find(found.set_workspace, "cublasSetWorkspace_v2");
  find(found.set_math_mode, "cublasSetMathMode");
  find(found.multiply_float, "cublasSgemm_v2_64");
  find(found.multiply_double, "cublasDgemm_v2_64");
  find(found.status_name, "cublasGetStatusName");
  find(found.status_text, "cublasGetStatusString");
  return found;
}

}  // namespace

const cublas_library& loaded_cublas() {
  static const cublas_library library = load();
  return library;
}

const std::string& cublas_problem() { return loaded_cublas().problem; }

}  // namespace duomap::gpu
