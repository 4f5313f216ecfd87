# For find_package(CUDAToolkit): CMake 3.25, which Debian 12 has, sets a property of the target CUDA::nvToolsExt, and
# CUDA 13 has no such library any more.
if(CMAKE_VERSION VERSION_LESS 3.30 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()
