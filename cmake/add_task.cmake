# Makes programs from the header of a task.

# duomap_add_task(<program> HEADER <header> TASKS <task>... [COLUMNS <name>...]) makes a program that runs the
# first task with the options of `duomap run` (apps/cli/task_main.hpp). COLUMNS names the columns of its rows.
# An existing target <program> keeps its own main(). If duomap has GPU code, a generated .cu file gives every
# task GPU code, for CMAKE_CUDA_ARCHITECTURES or else for those of duomap. It is a macro, because CMake
# enables a language for a folder and not inside a function.
macro(duomap_add_task)
  if(TARGET duomap::cuda AND NOT CMAKE_CUDA_COMPILER_LOADED)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES "${DUOMAP_CUDA_ARCHITECTURES}")
    endif()
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
      set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
    endif()
    enable_language(CUDA)
  endif()
  duomap_make_task(${ARGV})
endmacro()

function(duomap_make_task program)
  cmake_parse_arguments(PARSE_ARGV 1 task "" "HEADER" "TASKS;COLUMNS")
  if(NOT task_HEADER OR NOT task_TASKS OR task_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "duomap_add_task(${program}): write duomap_add_task(PROGRAM HEADER FILE TASKS NAME...)")
  endif()
  cmake_path(ABSOLUTE_PATH task_HEADER)
  if(NOT EXISTS "${task_HEADER}")
    message(FATAL_ERROR "duomap_add_task(${program}): there is no header '${task_HEADER}'")
  endif()
  if(NOT TARGET duomap::program)
    message(FATAL_ERROR "duomap_add_task(${program}): this duomap has no library for command lines, because CLI11 or "
      "nlohmann_json was not found (Debian packages libcli11-dev and nlohmann-json3-dev)")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${program}.task")
  if(NOT TARGET ${program})
    list(GET task_TASKS 0 first)
    list(TRANSFORM task_COLUMNS PREPEND "\"")
    list(TRANSFORM task_COLUMNS APPEND "\"")
    list(JOIN task_COLUMNS ", " columns)
    file(CONFIGURE OUTPUT "${folder}/main.cpp" CONTENT
"#include \"@task_HEADER@\"

#include <apps/cli/task_main.hpp>

int main(int argc, char** argv) { return duomap::task_main<@first@>(argc, argv, {}, {@columns@}); }
" @ONLY)
    add_executable(${program} "${folder}/main.cpp")
    target_link_libraries(${program} PRIVATE duomap::program)
  endif()
  target_link_libraries(${program} PRIVATE duomap::duomap)
  if(NOT TARGET duomap::cuda)
    return()
  endif()
  set(promises "#include <gpu/engines/can_run.hpp>\n\n")
  set(code "")
  foreach(name IN LISTS task_TASKS)
    string(APPEND promises "template <>\ninline constexpr bool duomap::gpu::has_code<${name}> =\n"
      "  duomap::gpu::has_engine<${name}>;\n"
      "template <>\ninline constexpr bool duomap::gpu::code_is_optional<${name}> = true;\n")
    string(APPEND code "template backends_of<${name}> make_backends(const ${name}&, const std::vector<int>&,\n"
      "    const backend_options&);\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/has_code.hpp" CONTENT
    "#pragma once\n\n#include \"@task_HEADER@\"\n\n@promises@" @ONLY)
  file(CONFIGURE OUTPUT "${folder}/tasks.cu" CONTENT
"#include \"has_code.hpp\"

#include <gpu/engines/all.cuh>
#include <gpu/gpu_backend.cuh>

namespace duomap::gpu {
@code@}
" @ONLY)
  target_sources(${program} PRIVATE "${folder}/tasks.cu")
  # Every file of the program must know which tasks have GPU code.
  target_compile_options(${program} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include \"${folder}/has_code.hpp\">")
  target_link_libraries(${program} PRIVATE duomap::cuda)
endfunction()
