// The functions of cuBLAS that are used here, found in the library at run time. host only
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct CUstream_st;  // what cudaStream_t points to

namespace duomap::gpu {

/// cuBLAS's numbers, as cublas_api.h has them since CUDA 12; cublas.cpp compares them where that header is.
struct cublas_code {
  static constexpr int success = 0;
  static constexpr int alloc_failed = 3;
  static constexpr int execution_failed = 13;
  static constexpr int no_transpose = 0;
  static constexpr int transpose = 1;
  static constexpr int pedantic_math = 2;
  static constexpr int tf32_math = 3;
};

/// All of them, or why there are none.
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

  std::string problem;  ///< why the library cannot be used; empty when it can
};

/// Loaded by the first call, for as long as the process lives. Any thread.
[[nodiscard]] const cublas_library& loaded_cublas();

}  // namespace duomap::gpu
