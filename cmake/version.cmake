# The version is written twice, for CMake and for C++ (core/version.hpp): stop when the two differ.
set(version_header "${PROJECT_SOURCE_DIR}/core/version.hpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${version_header}")
file(STRINGS "${version_header}" version_line REGEX "string_view version = \"")
if(NOT version_line MATCHES "\"${PROJECT_VERSION}\"")
  message(FATAL_ERROR
    "core/version.hpp and project(duomap VERSION ${PROJECT_VERSION}) in CMakeLists.txt name different "
    "versions: make them agree. The header says: ${version_line}")
endif()
