// The functions of cuBLAS that duomap uses, looked up at run time. host only
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace duomap::gpu {

/// Codes of cuBLAS, as in cublas_api.h since CUDA 12. cublas.cpp checks them if that header is installed.
struct cublas_code {
  static constexpr int success = 0;
  static constexpr int alloc_failed = 3;
  static constexpr int execution_failed = 13;
  static constexpr int no_transpose = 0;
  static constexpr int transpose = 1;
  static constexpr int pedantic_math = 2;
  static constexpr int tf32_math = 3;
};

/// cuBLAS's functions, or the reason why cuBLAS cannot be used.
struct cublas_library {
  int (*create)(void** handle) = nullptr;
  int (*destroy)(void* handle) = nullptr;
  int (*set_stream)(void* handle, CUstream_st* on) = nullptr;
  int (*set_workspace)(void* handle, void* memory, std::size_t bytes) = nullptr;
  int (*set_math_mode)(void* handle, int mode) = nullptr;
  int (*multiply_float)(void* handle, int left, int right, std::int64_t m, std::int64_t n, std::int64_t k,
                        const float* alpha, const float* a, std::int64_t lda, const float* b,
                        std::int64_t ldb, const float* beta, float* c, std::int64_t ldc) = nullptr;
  int (*multiply_double)(void* handle, int left, int right, std::int64_t m, std::int64_t n, std::int64_t k,
                         const double* alpha, const double* a, std::int64_t lda, const double* b,
                         std::int64_t ldb, const double* beta, double* c, std::int64_t ldc) = nullptr;
  const char* (*status_name)(int status) = nullptr;
  const char* (*status_text)(int status) = nullptr;

  std::string problem;  ///< why cuBLAS cannot be used; empty if cuBLAS works
};

/// The first call loads the library, which stays loaded until the process ends. Any thread may call it.
[[nodiscard]] const cublas_library& loaded_cublas();

}  // namespace duomap::gpu
