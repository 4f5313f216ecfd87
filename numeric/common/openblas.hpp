// Loads OpenBLAS when it is first needed.
// host only
#pragma once

#include <cstddef>
#include <string>

namespace duomap {

/// The functions of OpenBLAS that duomap calls. When the library is loaded, it starts a thread for each
/// further core, and these threads spin for some 30 ms before they sleep. A program without products should
/// not pay for that. So the first call loads OpenBLAS, and the program does not link it (decision 39).
///
/// Integers have 32 bits, and matrices are stored row by row; `order` and similar arguments are CBLAS's
/// constants.
struct openblas {
  static constexpr int row_major = 101, not_transposed = 111, transposed = 112, upper = 121;

  std::string problem;      ///< why the library could not be loaded; else empty
  bool has_avx512 = false;  ///< its kernels for this processor use vectors of 512 bits

  void (*set_threads)(int count) = nullptr;
  void (*sgemm)(int order, int left_as, int right_as, int m, int n, int k, float alpha, const float* left,
                int left_stride, const float* right, int right_stride, float beta, float* out,
                int out_stride) = nullptr;
  void (*dgemm)(int order, int left_as, int right_as, int m, int n, int k, double alpha, const double* left,
                int left_stride, const double* right, int right_stride, double beta, double* out,
                int out_stride) = nullptr;
  void (*ssyrk)(int order, int triangle, int as, int n, int k, float alpha, const float* from, int stride,
                float beta, float* out, int out_stride) = nullptr;
  /// LAPACK's function, by Fortran's conventions: matrices are stored column by column, and the lengths of
  /// text arguments follow all other arguments.
  void (*dsyevd)(const char* job, const char* triangle, const int* n, double* matrix, const int* stride,
                 double* values, double* work, const int* work_size, int* whole_work,
                 const int* whole_work_size, int* status, std::size_t job_length,
                 std::size_t triangle_length) = nullptr;
};

/// Loads the library at the first call. If this fails, `problem` says why. Each function runs on the calling
/// thread only, because OpenBLAS's own threads would compete with the workers, which already fill all cores.
[[nodiscard]] const openblas& loaded_openblas();

/// Returns the library for a caller that cannot do without. `what` names the part of duomap that needs the
/// library. @throws error saying what to install
[[nodiscard]] const openblas& required_openblas(const char* what);

}  // namespace duomap
