# Finds every library from outside. Nothing is downloaded: `./dev setup` installs the Debian packages
# (packages.txt). GLOBAL shows the targets to projects that embed duomap with add_subdirectory, too.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# For cpu: its headers include oneTBB, and one .cpp file includes hwloc.
find_package(TBB REQUIRED CONFIG GLOBAL)
pkg_check_modules(duomap_hwloc REQUIRED IMPORTED_TARGET GLOBAL hwloc)

# For scheduler: one .cpp file includes Boost.Lockfree, which has headers only.
find_package(Boost 1.74 REQUIRED GLOBAL)

# For core: compressed input. If the library of a format is missing, an error says so when duomap opens a file
# of this format.
find_package(ZLIB GLOBAL)
# pkg-config calls these libraries libNAME, and Debian calls their packages libNAME-dev.
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

# For core: one .cpp file includes xxHash, headers only, for the checksum of stored partials.
find_path(duomap_xxhash_folder xxhash.h)
if(NOT duomap_xxhash_folder)
  message(FATAL_ERROR "duomap: no xxhash.h; install the Debian package libxxhash-dev")
endif()
mark_as_advanced(duomap_xxhash_folder)

# For the command line. A project that embeds duomap gets duomap_add_task() if both libraries are there.
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
