// Makes cuBLAS handles and queues products through them. Empty without CUDA, because it calls CUDA.
#if DUOMAP_HAS_CUDA

#include "gpu/blas/cublas.cuh"

#include "gpu/blas/cublas_library.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/error.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif

namespace duomap::gpu {
namespace {

#if __has_include(<cublas_v2.h>)
static_assert(cublas_code::success == CUBLAS_STATUS_SUCCESS);
static_assert(cublas_code::alloc_failed == CUBLAS_STATUS_ALLOC_FAILED);
static_assert(cublas_code::execution_failed == CUBLAS_STATUS_EXECUTION_FAILED);
static_assert(cublas_code::no_transpose == CUBLAS_OP_N);
static_assert(cublas_code::transpose == CUBLAS_OP_T);
static_assert(cublas_code::pedantic_math == CUBLAS_PEDANTIC_MATH);
static_assert(cublas_code::tf32_math == CUBLAS_TF32_TENSOR_OP_MATH);
#endif

// NVIDIA recommends a workspace of this size for Hopper; older GPUs need less.
constexpr std::uint64_t workspace_bytes = std::uint64_t{32} << 20;

/// Unused cuBLAS handles, which the process keeps because making and destroying a handle takes long. With
/// kept handles a product took an H100 33 ms instead of 37 (decision 39).
class kept_handles {
 public:
  /// Returns nullptr if there is no handle for this device.
  void* take(int device) {
    const std::lock_guard held(mutex_);
    std::vector<void*>& all = of_device_[device];
    if (all.empty()) return nullptr;
    void* const one = all.back();
    all.pop_back();
    return one;
  }

  void give(int device, void* handle) noexcept {
    try {
      const std::lock_guard held(mutex_);
      of_device_[device].push_back(handle);
    } catch (const std::exception&) {
      // No memory is left to list the handle, so the handle is destroyed.
      loaded_cublas().destroy(handle);
    }
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<void*>> of_device_;
};

kept_handles& unused_handles() {
  // The object is never destroyed, because CUDA may be unloaded before static objects are destroyed.
  static auto& all = *new kept_handles;
  return all;
}

void check_cublas(int status, const std::string& what) {
  if (status == cublas_code::success) return;
  // The cause is usually an earlier kernel that failed. The kernel's error explains more than cuBLAS's.
  if (status == cublas_code::execution_failed) check(cudaGetLastError(), what.c_str());
  const cublas_library& blas = loaded_cublas();
  const std::string message =
      what + " by cuBLAS failed: " + blas.status_name(status) + ", " + blas.status_text(status);
  if (status == cublas_code::alloc_failed) throw device_out_of_memory(message);
  throw error(exit_status::failed, message);
}

// cuBLAS reads matrices column by column, that is, transposed. So the code computes out^T = right^T * left^T.
template <class T, class Multiply>
void multiply_rows(Multiply multiply, void* handle, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                   operand<T> left, operand<T> right, result_operand<T> out) {
  if (m == 0 || n == 0) return;
  const auto size = [](std::uint64_t number) {
    return static_cast<std::int64_t>(number);
  };
  const auto operation = [](bool transposed) {
    return transposed ? cublas_code::transpose : cublas_code::no_transpose;
  };
  const T one = 1;
  const T zero = 0;
  check_cublas(multiply(handle, operation(right.transposed), operation(left.transposed), size(n), size(m),
                        size(k), &one, right.data, size(right.stride), left.data, size(left.stride), &zero,
                        out.data, size(out.stride)),
               "a product of " + std::to_string(m) + " x " + std::to_string(k) + " and " + std::to_string(k) +
                   " x " + std::to_string(n) + " numbers");
}

}  // namespace

cublas::cublas(const stream& on, bool tf32) {
  const cublas_library& blas = loaded_cublas();
  if (!blas.problem.empty()) throw device_unavailable(blas.problem);
  workspace_ = device_buffer(workspace_bytes, on);
  check(cudaGetDevice(&device_), "asking for the current device");
  handle_ = unused_handles().take(device_);
  if (handle_ == nullptr) check_cublas(blas.create(&handle_), "making a handle");
  try {
    check_cublas(blas.set_stream(handle_, on.get()), "choosing a stream");
    check_cublas(blas.set_workspace(handle_, workspace_.as<void>(), workspace_bytes), "giving workspace");
    check_cublas(blas.set_math_mode(handle_, tf32 ? cublas_code::tf32_math : cublas_code::pedantic_math),
                 "choosing the precision");
  } catch (...) {
    blas.destroy(handle_);
    throw;
  }
}

cublas::~cublas() { unused_handles().give(device_, handle_); }

void cublas::multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left,
                      operand<float> right, result_operand<float> out) const {
  multiply_rows(loaded_cublas().multiply_float, handle_, m, n, k, left, right, out);
}

void cublas::multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                      operand<double> right, result_operand<double> out) const {
  multiply_rows(loaded_cublas().multiply_double, handle_, m, n, k, left, right, out);
}

}  // namespace duomap::gpu

#endif
