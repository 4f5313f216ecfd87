# cmake --install: libraries, public headers and what they include below include/duomap, the package for find_package(duomap), the program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library. The program, and what else is not needed to compile with duomap, names a component of its own.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/duomap")
set(installed duomap_core duomap_cpu duomap_gpu duomap_scheduler duomap_facade)
if(DUOMAP_HAS_CUDA)
  list(APPEND installed duomap_cuda)
endif()

install(TARGETS ${installed} EXPORT duomap_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT duomap_targets NAMESPACE duomap:: FILE duomap_targets.cmake DESTINATION "${package_folder}")

include(public_headers)
duomap_with_included(headers ${duomap_public_headers})
duomap_install_headers(${headers})

# The numeric applications, and what makes a program of a task, are libraries of their own, which few programs link.
if(DUOMAP_APPS)
  install(TARGETS duomap_numeric duomap_program EXPORT duomap_numeric_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT duomap_numeric_targets NAMESPACE duomap:: FILE duomap_numeric_targets.cmake
    DESTINATION "${package_folder}")
  duomap_with_included(numeric_headers ${duomap_public_numeric_headers} ${duomap_public_program_headers})
  list(REMOVE_ITEM numeric_headers ${headers})
  duomap_install_headers(${numeric_headers})
  include(task_toolkit)
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/duomapConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/duomapConfig.cmake" INSTALL_DESTINATION "${package_folder}")
# Before 1.0 a minor version may break users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/duomapConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/duomapConfig.cmake" "${PROJECT_BINARY_DIR}/duomapConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/add_task.cmake" "${PROJECT_SOURCE_DIR}/cmake/build_type.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/cuda_toolkit_workaround.cmake" DESTINATION "${package_folder}")

if(DUOMAP_APPS)
  install(TARGETS duomap RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  # Where shells look for what packages bring.
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/duomap.bash" RENAME duomap
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions" COMPONENT program)
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/duomap.fish"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d" COMPONENT program)
endif()
if(DUOMAP_APPS AND DUOMAP_BENCH)
  install(TARGETS duomap_bench_program RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/duomap" COMPONENT bench)
endif()
