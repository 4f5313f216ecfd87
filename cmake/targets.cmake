# How a folder becomes a library, and what all of our targets share.

# Warnings. Fewer for nvcc, whose generated host code does not survive -Wpedantic and the conversion warnings.
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
  # g++ 12 sees impossible sizes where it inlines std::string's operator+ and assign (GCC bugs 105329 and
  # 105651), and members without values where it inlines the destructor of a vector in an aggregate made with
  # designated initializers. The sanitizers' builds find the real ones.
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

# duomap_sources(<variable> <pattern>...): the files below the current folder that match. Globbed, so that
# adding a file needs no edit here and two branches never conflict in a list; CONFIGURE_DEPENDS repeats the
# glob at every build, so a new file is not forgotten either.
function(duomap_sources variable)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${ARGN})
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# duomap_add_library(<folder>): the library duomap_<folder>, alias duomap::<folder>, of all .cpp files below
# the current folder and, with CUDA, all .cu files. Sets `scope` in the caller to what target_link_libraries
# needs for a usage requirement: PUBLIC, or INTERFACE while the folder has headers only.
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
