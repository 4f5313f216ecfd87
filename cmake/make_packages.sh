#!/usr/bin/env bash
# Makes the Debian packages of a build folder: make_packages.sh BUILD_FOLDER. They are then in its folder
# packages, and their paths and sizes are printed. Compiles what is missing of what they contain.
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
