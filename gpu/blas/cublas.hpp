// cuBLAS, which a program finds when it first needs it: nothing links to it. host safe
#pragma once

#include <string>

namespace duomap::gpu {

/// Why cuBLAS cannot be used, and what to do; empty when it can. The first call loads the library
/// (libcublas.so.13, then .12, as the dynamic linker finds them, then in /usr/local/cuda/lib64; or only the
/// file that the environment variable DUOMAP_CUBLAS names), which takes tens of milliseconds where it is
/// there. Any thread.
[[nodiscard]] const std::string& cublas_problem();

}  // namespace duomap::gpu
