# Every library from outside, found in one place. Nothing is downloaded: `./dev setup` installs the Debian
# packages (packages.txt). GLOBAL, so that a project that embeds duomap with add_subdirectory sees the targets
# too.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# cpu: oneTBB is visible in cpu's headers, hwloc in one .cpp only.
find_package(TBB REQUIRED CONFIG GLOBAL)
pkg_check_modules(duomap_hwloc REQUIRED IMPORTED_TARGET GLOBAL hwloc)

# scheduler: Boost.Lockfree, headers only, seen in one .cpp.
find_package(Boost 1.74 REQUIRED GLOBAL)

# core: compressed input. Each format is left out when its library is missing; opening such a file then says
# so.
find_package(ZLIB GLOBAL)
# Those that pkg-config knows as libNAME, and Debian as libNAME-dev.
set(duomap_decompressors isal zstd lzma lz4)
set(duomap_decompressor_uses "fast .gz" .zst .xz .lz4)
set(duomap_decompressors_found)
foreach(name use IN ZIP_LISTS duomap_decompressors duomap_decompressor_uses)
  pkg_check_modules(duomap_${name} IMPORTED_TARGET GLOBAL lib${name})
  if(duomap_${name}_FOUND)
    list(APPEND duomap_decompressors_found ${name})
  else()
    message(STATUS "duomap: no lib${name} (Debian package lib${name}-dev): built without ${use} input")
  endif()
endforeach()
if(NOT ZLIB_FOUND AND NOT duomap_isal_FOUND)
  message(STATUS "duomap: neither libisal nor zlib (Debian package zlib1g-dev): built without .gz input")
endif()

# core: the checksum of stored partials, headers only, seen in one .cpp.
find_path(duomap_xxhash_folder xxhash.h)
if(NOT duomap_xxhash_folder)
  message(FATAL_ERROR "duomap: no xxhash.h; install the Debian package libxxhash-dev")
endif()
mark_as_advanced(duomap_xxhash_folder)

# The command line. A project that embeds duomap gets it, for duomap_add_task(), where both are there.
if(DUOMAP_APPS)
  set(required REQUIRED)
else()
  set(required QUIET)
endif()
find_package(CLI11 ${required} CONFIG GLOBAL)
find_package(nlohmann_json ${required} CONFIG GLOBAL)

if(DUOMAP_TESTS)
  # Version 2 (Debian 12) and version 3 (newer) both work: tests/catch.hpp.
  find_package(Catch2 REQUIRED CONFIG)
endif()
