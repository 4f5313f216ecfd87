# Makes libraries of folders, and sets the options that all targets of duomap share.

# nvcc gets fewer warnings, because the host code that it generates fails -Wpedantic and -Wconversion.
add_library(duomap_warnings INTERFACE)
target_compile_options(duomap_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
  $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>
  $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>
  $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
  $<$<COMPILE_LANGUAGE:CXX>:-Wsign-conversion>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns without cause: of impossible sizes where it inlines std::string's operator+ and assign (GCC
  # bugs 105329 and 105651), and of members without values in its own AVX-512 header (GCC bug 105593) and in
  # destructors of vectors in aggregates with designated initializers. The sanitizers' builds find the real
  # faults.
  target_compile_options(duomap_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overread>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
if(DUOMAP_WERROR)
  target_compile_options(duomap_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# duomap_sources(<variable> <pattern>...) lists the files below the current folder that match. A glob needs no
# edit when a file is added, and branches cannot conflict in a list. CONFIGURE_DEPENDS repeats the glob at
# every build, so that a new file is not forgotten.
function(duomap_sources variable)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${ARGN})
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# duomap_add_library(<folder>) makes the library duomap_<folder>, alias duomap::<folder>, of all .cpp files
# below the current folder and, with CUDA, all .cu files. Sets `scope` in the caller to the keyword for
# target_link_libraries: PUBLIC, or INTERFACE if the folder has headers only.
function(duomap_add_library folder)
  set(patterns *.cpp)
  if(DUOMAP_HAS_CUDA)
    list(APPEND patterns *.cu)
  endif()
  duomap_sources(sources ${patterns})
  set(target duomap_${folder})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:duomap_warnings>)
    # Files of cpu/scan use the same names, each for other vector instructions, so each is compiled alone.
    duomap_join_sources(${target} ALONE "/cpu/scan/")
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(duomap::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:include/duomap>)
  set(scope ${scope} PARENT_SCOPE)
endfunction()

# duomap_join_sources(<target> [IN_TENS] [ALONE <regex>] [TOGETHER <regex>] [ROOM <regex>]) compiles the .cpp
# files of a folder together, with IN_TENS ten at a time, because most work is reading the headers that they
# share. So anonymous namespaces in a folder need different names. Files whose paths match TOGETHER are
# compiled as one, a file that matches ALONE by itself. Folders with the same match of ROOM count as one.
# DUOMAP_UNITY=OFF joins nothing and shows which includes a file forgets.
function(duomap_join_sources target)
  if(NOT DUOMAP_UNITY)
    return()
  endif()
  cmake_parse_arguments(arg "IN_TENS" "ALONE;TOGETHER;ROOM" "" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes types of anonymous namespaces in a joined file for types of a header, and would warn.
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"")
  endif()
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    if(NOT source MATCHES "\\.cpp$" OR (arg_ALONE AND source MATCHES "${arg_ALONE}"))
      continue()
    endif()
    if(arg_TOGETHER AND source MATCHES "${arg_TOGETHER}")
      set(group ${target})
    else()
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
      cmake_path(GET name PARENT_PATH folder)
      if(arg_ROOM AND folder MATCHES "${arg_ROOM}")
        set(folder "${CMAKE_MATCH_0}")
      endif()
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      set(group ${folder})
      if(arg_IN_TENS)
        math(EXPR count_${folder} "0${count_${folder}} + 1")
        math(EXPR part "(${count_${folder}} - 1) / 10")
        string(APPEND group "_${part}")
      endif()
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# duomap_precompile_facade(<target> [<other>]) reads duomap.hpp and much of the standard library once for all
# C++ files of the target, which saves 2 s of processor time per file. With <other>, reuses what this target,
# with the same options, has read. DUOMAP_UNITY=OFF turns this off, too.
function(duomap_precompile_facade target)
  if(DUOMAP_UNITY AND ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  elseif(DUOMAP_UNITY)
    target_precompile_headers(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:<duomap.hpp$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<filesystem$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<fstream$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<map$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<random$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<sstream$<ANGLE-R>>
      $<$<COMPILE_LANGUAGE:CXX>:<variant$<ANGLE-R>>)
  endif()
endfunction()
