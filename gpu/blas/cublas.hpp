// Finds cuBLAS when a program first needs it, so that no program links to it. host safe
#pragma once

#include <string>

namespace duomap::gpu {

/// The reason why cuBLAS cannot be used, with the remedy; empty if it can. The first call loads the library,
/// which takes tens of milliseconds: libcublas.so.13, then .12, each where the dynamic linker finds it, else
/// in /usr/local/cuda/lib64. If the environment variable DUOMAP_CUBLAS names a file, only that file is tried.
/// Any thread may call it.
[[nodiscard]] const std::string& cublas_problem();

}  // namespace duomap::gpu
