# cpack reads this file when it makes packages. The last commit decides the version and the changelog, so they
# cannot be set earlier, when CMake configures the build folder.
execute_process(
  COMMAND python3 "${CPACK_duomap_SOURCE}/cmake/debian/changelog.py" "${CPACK_PACKAGE_VERSION}"
    "${CPACK_duomap_SOURCE}/CHANGELOG.md" duomap "${CPACK_PACKAGE_CONTACT}" "${CPACK_duomap_CHANGELOG}"
  OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# duomap-bench runs only with the program `duomap` of the same build, which starts it.
set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS
  "${CPACK_DEBIAN_PROGRAM_PACKAGE_NAME} (= ${CPACK_DEBIAN_PACKAGE_VERSION})")

# cpack would put this text above each package's own summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
