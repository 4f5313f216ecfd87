# Makes Debian packages: `cpack -G DEB` in a build folder makes duomap, libduomap-dev and, with the
# benchmarks, duomap-bench. A build with CUDA makes duomap-cuda and so on, which replace the plain packages.
# cmake/make_packages.sh first compiles all that the packages contain.
if(NOT PROJECT_IS_TOP_LEVEL OR NOT DUOMAP_APPS)
  return()
endif()

# Debian asks for an address. Nobody reads mail at this one.
set(maintainer "duomap developers <developers@duomap.invalid>")
set(flavour "")
set(with_gpu "This build has no code for GPUs; the package of the same name with -cuda has.")
set(cuda_copyright "")
if(DUOMAP_HAS_CUDA)
  set(flavour "-cuda")
  set(with_gpu "This build has code for NVIDIA GPUs, and runs without a GPU or a driver too.")
  string(CONCAT cuda_copyright "\nFiles: /usr/bin/duomap /usr/lib/*.a\n"
    "Copyright: NVIDIA Corporation\nLicense: NVIDIA-EULA\n"
    "Comment: The CUDA runtime and code of its header libraries are in it.\n\n"
    "License: NVIDIA-EULA\n"
    " https://docs.nvidia.com/cuda/eula/ allows to distribute them as a part of a\n program.\n")
endif()

# Debian expects these files. Installations by `cmake --install` alone go without them.
set(debian_folder "${PROJECT_BINARY_DIR}/debian")
configure_file("${PROJECT_SOURCE_DIR}/cmake/debian/copyright" "${debian_folder}/copyright" @ONLY)

# duomap_debian_files(<component> <package>) installs the package's copyright and changelog.
function(duomap_debian_files component package)
  set(documents "${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}")
  install(FILES "${debian_folder}/copyright" DESTINATION "${documents}"
    COMPONENT debian_${component} EXCLUDE_FROM_ALL)
  # cmake/debian/package_time.cmake makes the changelog when cpack starts.
  install(CODE "execute_process(COMMAND gzip -9nc \"${debian_folder}/changelog\"
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}/changelog.gz\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT debian_${component} EXCLUDE_FROM_ALL)
endfunction()

# duomap_manual(<component> <target> <pattern>) installs manual pages that the program <target> writes.
function(duomap_manual component target pattern)
  install(CODE "set(pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    file(REMOVE_RECURSE \"${debian_folder}/${target}\")
    execute_process(COMMAND \"$<TARGET_FILE:${target}>\" __manual \"${debian_folder}/${target}\"
      COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB found \"${debian_folder}/${target}/${pattern}\")
    file(MAKE_DIRECTORY \"\${pages}\")
    file(COPY \${found} DESTINATION \"\${pages}\")
    file(GLOB found \"\${pages}/*.1\")
    execute_process(COMMAND gzip -9n \${found} COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT debian_${component} EXCLUDE_FROM_ALL)
endfunction()

duomap_debian_files(program duomap${flavour})
duomap_debian_files(development libduomap${flavour}-dev)
duomap_manual(program duomap "duomap*.1")
install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/_duomap"
  DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions" COMPONENT debian_program EXCLUDE_FROM_ALL)
set(CPACK_COMPONENTS_ALL program debian_program development debian_development)
if(TARGET duomap_bench_program)
  duomap_debian_files(bench duomap-bench${flavour})
  duomap_manual(bench duomap_bench_program "duomap-bench*.1")
  list(APPEND CPACK_COMPONENTS_ALL bench debian_bench)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME duomap)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_DEB_COMPONENT_INSTALL TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/debian/package_time.cmake")
set(CPACK_duomap_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_duomap_CHANGELOG "${debian_folder}/changelog")

# duomap_package(<group> <name> <section> <summary> <description>) describes a package. A package with CUDA
# and the same one without replace each other.
macro(duomap_package group name section summary description)
  string(TOUPPER ${group} upper)
  set(other "${name}-cuda")
  if("${name}" MATCHES "^(.*)(-dev)$")
    set(other "${CMAKE_MATCH_1}-cuda${CMAKE_MATCH_2}")
  endif()
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME "${name}")
  if(DUOMAP_HAS_CUDA)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME "${other}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_PROVIDES "${name}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONFLICTS "${name}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_REPLACES "${name}")
  endif()
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION "${section}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_PRIORITY optional)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}\n${with_gpu}")
endmacro()

string(CONCAT about
  "duomap runs one MapReduce task on all CPU cores and NVIDIA GPUs of a machine.\n"
  "Cores and GPUs share the input by measured speed.")
duomap_package(program duomap utils "MapReduce on all CPU cores and GPUs of a machine"
  "${about}\nThis package has the program with its applications: word count, string\nmatch, k-means and others.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS TRUE)
# Programs load OpenBLAS when they need it, so no linked library makes it a dependency.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libopenblas0)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libduomap${flavour}-dev")
if(DUOMAP_HAS_CUDA)
  # NVIDIA's packages have names such as libcublas-13-0.
  string(REPLACE "." "-" cublas "libcublas-${cuda_version}")
  string(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ", ${cublas}")
endif()

duomap_package(development libduomap-dev libdevel "MapReduce on all CPU cores and GPUs of a machine (library)"
  "${about}\nThis package has the static libraries, the headers and the CMake files for\nfind_package(duomap).")
# duomapConfig.cmake looks for these libraries, if this build has found them.
set(needed libtbb-dev libhwloc-dev "pkgconf | pkg-config")
if(ZLIB_FOUND)
  list(APPEND needed zlib1g-dev)
endif()
foreach(name IN LISTS duomap_decompressors_found)
  list(APPEND needed lib${name}-dev)
endforeach()
list(JOIN needed ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, g++")
if(DUOMAP_HAS_CUDA)
  # cuda-toolkit comes from NVIDIA, not from Debian. It is no dependency, as CUDA may be installed otherwise.
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cuda-toolkit (>= ${cuda_minimum})")
endif()

if(TARGET duomap_bench_program)
  duomap_package(bench duomap-bench utils "MapReduce on all CPU cores and GPUs of a machine (benchmarks)"
    "${about}\nThis package has what the command 'duomap bench' runs: measurements of the\napplications against other programs.")
  set(CPACK_DEBIAN_BENCH_PACKAGE_SHLIBDEPS TRUE)
  set(CPACK_DEBIAN_BENCH_PACKAGE_RECOMMENDS libopenblas0)
endif()

include(CPack)
foreach(group program development bench)
  if(group IN_LIST CPACK_COMPONENTS_ALL)
    cpack_add_component_group(${group})
    cpack_add_component(${group} GROUP ${group})
    cpack_add_component(debian_${group} GROUP ${group})
  endif()
endforeach()
