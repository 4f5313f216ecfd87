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
pkg_check_modules(duomap_zstd IMPORTED_TARGET GLOBAL libzstd)
if(NOT ZLIB_FOUND)
  message(STATUS "duomap: no zlib (Debian package zlib1g-dev): built without .gz input")
endif()
if(NOT duomap_zstd_FOUND)
  message(STATUS "duomap: no zstd (Debian package libzstd-dev): built without .zst input")
endif()

if(DUOMAP_APPS)
  find_package(CLI11 REQUIRED CONFIG)
  find_package(nlohmann_json REQUIRED CONFIG)
endif()

if(DUOMAP_TESTS)
  # Version 2 (Debian 12) and version 3 (newer) both work: tests/catch.hpp.
  find_package(Catch2 REQUIRED CONFIG)
endif()
