# Reads `duomap_version` from core/version.hpp, the one place where the version is written.
cmake_path(SET version_header NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../core/version.hpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${version_header}")
file(STRINGS "${version_header}" version_line REGEX "string_view version = \"")
if(NOT version_line MATCHES "\"([0-9]+\\.[0-9]+\\.[0-9]+)\"")
  message(FATAL_ERROR "core/version.hpp has no version of three numbers: ${version_line}")
endif()
set(duomap_version "${CMAKE_MATCH_1}")
