# Decides whether this build has the GPU backend: the only place that does. Sets DUOMAP_HAS_CUDA to 1 or 0
# and, when it is 1, the target duomap_cuda: what a target with .cu files links.
set(DUOMAP_CUDA AUTO CACHE STRING "GPU backend: AUTO, ON or OFF")
set_property(CACHE DUOMAP_CUDA PROPERTY STRINGS AUTO ON OFF)

# Real code for every generation that CUDA 13 can compile for and the instruction set of the last one (PTX),
# which the driver of a newer GPU translates when the program starts. Never "native": what is built here runs
# elsewhere. For everyday use, ./dev asks for code for the GPUs of its machine.
if(DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(default_architectures "${CMAKE_CUDA_ARCHITECTURES}")
elseif(DEFINED ENV{CUDAARCHS})  # CMake's own variable for this
  set(default_architectures "$ENV{CUDAARCHS}")
else()
  set(default_architectures "75-real;80-real;86-real;89-real;90-real;100-real;120")
endif()
set(DUOMAP_CUDA_ARCHITECTURES "${default_architectures}" CACHE STRING "Compute capabilities to compile for")

# The tests' own kernels are many, and compiling them is most of a build: for the oldest instruction set only,
# which any driver translates for its GPU when the tests start. ./dev asks
# for real code on a machine with GPUs.
set(DUOMAP_TEST_CUDA_ARCHITECTURES "75-virtual" CACHE STRING "Compute capabilities to compile tests for")

# The first CUDA that knows compute capabilities 10.0 and 12.0; C++20 came with 12.0.
set(cuda_minimum 12.8)

# Leaves the path of a usable nvcc in CMAKE_CUDA_COMPILER and its version in `cuda_version`, or in
# `cuda_problem` why there is none. Looks in CUDA's own folder too, which its packages do not add to PATH.
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
    # Processor time: the two engines of page views for three architectures 31 s before and 18 s now,
    # tests/gpu/engines/sort/sort_tasks.cu 61 and 45. With -O2 or -O3 beside it, nvcc 13.0 ignores the second option
    # for PTX. -O0 is for the host's half, most of the work: of that file 39 s with -O1 and 29 without.
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
  # The static runtime asks for a driver only when it is used: the program links and runs on machines without
  # one.
  target_link_libraries(duomap_cuda INTERFACE CUDA::cudart_static)
  # -std=c++20 by hand, because CMake 3.25.1 does not know C++20 for CUDA. Constexpr functions of the standard
  # library (std::array, <bit>) may be called in device code only with --expt-relaxed-constexpr. A function of the
  # host that a map calls is an error: nvcc only warns, and leaves the call out.
  target_compile_options(duomap_cuda INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=cross-execution-space-call>)
endif()
