# Rules for cmake --install: libraries, public headers and what they include, CMake package, program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The component `development` has all that compiling with duomap needs. All else names another component.
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

# Few programs link these: the library that makes a program of a task, tasks over tables, and the numeric
# library.
if(DUOMAP_APPS)
  install(TARGETS duomap_report duomap_program EXPORT duomap_program_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT duomap_program_targets NAMESPACE duomap:: FILE duomap_program_targets.cmake
    DESTINATION "${package_folder}")
  duomap_with_included(program_headers ${duomap_public_program_headers})
  list(REMOVE_ITEM program_headers ${headers})
  duomap_install_headers(${program_headers})
  include(task_toolkit)
  install(TARGETS duomap_tasks EXPORT duomap_tasks_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT duomap_tasks_targets NAMESPACE duomap:: FILE duomap_tasks_targets.cmake
    DESTINATION "${package_folder}")
  duomap_with_included(tasks_headers ${duomap_public_tasks_headers})
  list(REMOVE_ITEM tasks_headers ${headers} ${program_headers})
  duomap_install_headers(${tasks_headers})
endif()
if(TARGET duomap_numeric)
  install(TARGETS duomap_numeric EXPORT duomap_numeric_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT duomap_numeric_targets NAMESPACE duomap:: FILE duomap_numeric_targets.cmake
    DESTINATION "${package_folder}")
  duomap_with_included(numeric_headers ${duomap_public_numeric_headers})
  list(REMOVE_ITEM numeric_headers ${headers} ${program_headers} ${tasks_headers})
  duomap_install_headers(${numeric_headers})
endif()
# Libraries and headers for building numeric and bench by themselves (cmake/house.cmake).
if(DUOMAP_APPS)
  install(TARGETS duomap_apps EXPORT duomap_houses_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT houses EXCLUDE_FROM_ALL)
  install(EXPORT duomap_houses_targets NAMESPACE duomap:: FILE duomap_houses_targets.cmake
    DESTINATION "${package_folder}" COMPONENT houses EXCLUDE_FROM_ALL)
  duomap_with_included(house_headers ${duomap_house_headers})
  list(REMOVE_ITEM house_headers ${headers} ${program_headers} ${tasks_headers})
  duomap_install_headers(COMPONENT houses EXCLUDE_FROM_ALL ${house_headers})
  if(TARGET duomap_numeric)
    duomap_with_included(numeric_house_headers ${duomap_numeric_house_headers})
    list(REMOVE_ITEM numeric_house_headers
      ${headers} ${program_headers} ${tasks_headers} ${house_headers} ${numeric_headers})
    duomap_install_headers(COMPONENT houses EXCLUDE_FROM_ALL ${numeric_house_headers})
  endif()
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/duomapConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/duomapConfig.cmake" INSTALL_DESTINATION "${package_folder}")
# Before 1.0 a new minor version may break users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/duomapConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/duomapConfig.cmake" "${PROJECT_BINARY_DIR}/duomapConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/add_task.cmake" "${PROJECT_SOURCE_DIR}/cmake/build_type.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/cuda_toolkit_workaround.cmake" DESTINATION "${package_folder}")

# For compilers without CMake. The libraries are static, so pkg-config must name the modules that they need.
# The user gives the folder of CUDA, because Debian packages name no folder below /usr/local.
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH prefix_from_pkgconfig "/${pkgconfig_folder}" "/")
set(pkgconfig_requires tbb hwloc)
if(ZLIB_FOUND)
  list(APPEND pkgconfig_requires zlib)
endif()
list(TRANSFORM duomap_decompressors_found PREPEND lib OUTPUT_VARIABLE decompressor_modules)
list(JOIN pkgconfig_requires " " pkgconfig_requires)
list(JOIN decompressor_modules " " decompressor_modules)
string(APPEND pkgconfig_requires " ${decompressor_modules}")
set(pkgconfig_cuda "")
if(DUOMAP_HAS_CUDA)
  set(pkgconfig_cuda "-lcudart_static -ldl -lrt")
endif()
set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:duomap_facade,INTERFACE_COMPILE_DEFINITIONS>>")
set(pkgconfig_definitions "-D$<JOIN:${definitions}, -D>")
configure_file("${PROJECT_SOURCE_DIR}/cmake/duomap.pc.in" "${PROJECT_BINARY_DIR}/duomap.pc.in" @ONLY)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/duomap.pc" INPUT "${PROJECT_BINARY_DIR}/duomap.pc.in")
install(FILES "${PROJECT_BINARY_DIR}/duomap.pc" DESTINATION "${pkgconfig_folder}")

if(DUOMAP_APPS)
  install(TARGETS duomap RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  # bash and fish look in these folders for completions that packages install.
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/duomap.bash" RENAME duomap
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions" COMPONENT program)
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/duomap.fish"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d" COMPONENT program)
endif()
if(TARGET duomap_bench_program)
  install(TARGETS duomap_bench_program RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/duomap" COMPONENT bench)
endif()
