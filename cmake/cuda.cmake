# Decides whether this build has the GPU backend; no other file does. Sets DUOMAP_HAS_CUDA to 1 or 0. If it is
# 1, makes the target duomap_cuda, which targets with .cu files link.
set(DUOMAP_CUDA AUTO CACHE STRING "GPU backend: AUTO, ON or OFF")
set_property(CACHE DUOMAP_CUDA PROPERTY STRINGS AUTO ON OFF)

# The default: machine code for every GPU generation that CUDA 13 knows, and PTX for the last one, which the
# driver of a newer GPU translates. Never "native", because programs built here run elsewhere. For everyday
# use, ./dev asks only for the GPUs of its machine.
if(DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(default_architectures "${CMAKE_CUDA_ARCHITECTURES}")
elseif(DEFINED ENV{CUDAARCHS})  # CMake's own variable for this
  set(default_architectures "$ENV{CUDAARCHS}")
else()
  set(default_architectures "75-real;80-real;86-real;89-real;90-real;100-real;120")
endif()
set(DUOMAP_CUDA_ARCHITECTURES "${default_architectures}" CACHE STRING "Compute capabilities to compile for")

# Compiling the tests' own kernels is most of a build. They get only the oldest PTX, which any driver
# translates when the tests start. On a machine with GPUs, ./dev asks for machine code.
set(DUOMAP_TEST_CUDA_ARCHITECTURES "75-virtual" CACHE STRING "Compute capabilities to compile tests for")

# The first CUDA that knows compute capabilities 10.0 and 12.0. C++20 alone would need only CUDA 12.0.
set(cuda_minimum 12.8)

# Sets CMAKE_CUDA_COMPILER to the path of a usable nvcc and `cuda_version` to its version, or `cuda_problem`
# to the reason why there is none. Also looks in /usr/local/cuda, which CUDA's packages do not add to PATH.
macro(duomap_find_nvcc)
  set(cuda_problem "")
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(DUOMAP_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(DUOMAP_NVCC)
    if(DEFINED ENV{CUDACXX})
      set(CMAKE_CUDA_COMPILER "$ENV{CUDACXX}")
    elseif(DUOMAP_NVCC)
      set(CMAKE_CUDA_COMPILER "${DUOMAP_NVCC}")
    endif()
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    set(cuda_problem "no nvcc in PATH or /usr/local/cuda/bin")
  else()
    execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" nvcc_says "${nvcc_says}")
    set(cuda_version "${CMAKE_MATCH_1}")
    if(cuda_version VERSION_LESS cuda_minimum)
      set(cuda_problem "${CMAKE_CUDA_COMPILER} is CUDA '${cuda_version}', and ${cuda_minimum} is needed")
    else()
      set(CMAKE_CUDA_ARCHITECTURES "${DUOMAP_CUDA_ARCHITECTURES}")
      include(CheckLanguage)
      check_language(CUDA)
      if(NOT CMAKE_CUDA_COMPILER)
        set(cuda_problem "nvcc ${cuda_version} cannot compile here (its output is below CMakeFiles)")
      endif()
    endif()
  endif()
endmacro()

set(DUOMAP_HAS_CUDA 0)
if(DUOMAP_CUDA STREQUAL "AUTO" OR DUOMAP_CUDA)
  duomap_find_nvcc()
  if(cuda_problem STREQUAL "")
    set(DUOMAP_HAS_CUDA 1)
    message(STATUS "duomap: with CUDA ${cuda_version} for ${DUOMAP_CUDA_ARCHITECTURES}")
  elseif(DUOMAP_CUDA STREQUAL "AUTO")
    unset(CMAKE_CUDA_COMPILER)
    message(STATUS "duomap: built without CUDA: ${cuda_problem}")
  else()
    message(FATAL_ERROR
      "DUOMAP_CUDA=ON, but ${cuda_problem}. Install NVIDIA's package cuda-toolkit, version "
      "${cuda_minimum} or newer, and put its bin folder into PATH, or set CMAKE_CUDA_COMPILER to its nvcc; or "
      "configure with DUOMAP_CUDA=OFF.")
  endif()
endif()

if(DUOMAP_HAS_CUDA)
  enable_language(CUDA)
  if(DUOMAP_FAST_COMPILE)
    # --Ofast-compile compiles the two engines of page views in 18 s of processor time instead of 31. nvcc
    # 13.0 ignores this option for PTX if -O2 or -O3 stands beside it, hence -O0. -O0 also compiles the host's
    # half, most of the work, a quarter faster than -O1.
    set(fast_kernels "-O0")
    if(cuda_version VERSION_GREATER_EQUAL 13.0)
      string(APPEND fast_kernels " --Ofast-compile=max")
    endif()
    string(REGEX REPLACE "-O[23]" "${fast_kernels}" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
  endif()
  include(cuda_toolkit_workaround)
  find_package(CUDAToolkit REQUIRED GLOBAL)
  add_library(duomap_cuda INTERFACE)
  add_library(duomap::cuda ALIAS duomap_cuda)
  set_target_properties(duomap_cuda PROPERTIES EXPORT_NAME cuda)
  # The static runtime looks for a driver only when a program uses it, so programs start without one.
  target_link_libraries(duomap_cuda INTERFACE CUDA::cudart_static)
  # CMake 3.25.1 does not know C++20 for CUDA, so -std=c++20 stands here. Device code needs
  # --expt-relaxed-constexpr to call constexpr functions of the standard library (std::array, <bit>). If a map
  # calls a host function, nvcc only warns and leaves the call out; here this is an error.
  target_compile_options(duomap_cuda INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=cross-execution-space-call>)
endif()
