# Lets find_package(CUDAToolkit) work with CMake 3.25 (Debian 12) and CUDA 13. This CMake sets a property of
# the target CUDA::nvToolsExt, but CUDA 13 has no such library.
if(CMAKE_VERSION VERSION_LESS 3.30 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()
