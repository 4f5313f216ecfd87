# Read by cpack when it makes packages: the version and the changelog, which the last commit decides and not the
# time when CMake configured the build folder.
execute_process(
  COMMAND python3 "${CPACK_duomap_SOURCE}/cmake/debian/changelog.py" "${CPACK_PACKAGE_VERSION}"
    "${CPACK_duomap_SOURCE}/CHANGELOG.md" duomap "${CPACK_PACKAGE_CONTACT}" "${CPACK_duomap_CHANGELOG}"
  OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# The benchmarks are started by the program of the same build.
set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS
  "${CPACK_DEBIAN_PROGRAM_PACKAGE_NAME} (= ${CPACK_DEBIAN_PACKAGE_VERSION})")

# cpack would put it above each package's own summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
