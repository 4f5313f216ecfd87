// Loads cuBLAS when a program first needs it, so that programs need not link to cuBLAS. host safe
#pragma once

#include <string>

namespace duomap::gpu {

/// Returns the reason why cuBLAS cannot be used, with the remedy; empty if cuBLAS works. The first call takes
/// tens of milliseconds, because it loads libcublas.so.13, else .12: each from where the dynamic linker finds
/// it, else from /usr/local/cuda/lib64. If the environment variable DUOMAP_CUBLAS names a file, only that
/// file is tried. Any thread may call it.
[[nodiscard]] const std::string& cublas_problem();

}  // namespace duomap::gpu
