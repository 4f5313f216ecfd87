#!/usr/bin/env bash
# Makes the Debian packages of a build folder: make_packages.sh BUILD_FOLDER. First compiles what is missing.
# Leaves the packages in BUILD_FOLDER/packages, and prints their paths and sizes.
set -euo pipefail
folder=$1
targets=(duomap)
grep -q '^DUOMAP_BENCH:BOOL=ON' "$folder/CMakeCache.txt" && targets+=(duomap_bench_program)
cmake --build "$folder" --target "${targets[@]}" >&2
rm -rf "$folder/packages"
(cd "$folder" && cpack -G DEB) >"$folder/packages.log" 2>&1 || {
  cat "$folder/packages.log" >&2
  exit 1
}
du -h --apparent-size "$folder"/packages/*.deb
