# Compiles SOURCE with COMPILER and OPTIONS and compares the outcome with what the first line of SOURCE
# promises. A second line `// options: OPTION...` adds options.
file(STRINGS "${SOURCE}" first_lines LIMIT_COUNT 2)
list(GET first_lines 0 first_line)
if(first_lines MATCHES "// options: ([^;]+)")
  separate_arguments(more UNIX_COMMAND "${CMAKE_MATCH_1}")
  list(APPEND OPTIONS ${more})
endif()
execute_process(
  COMMAND "${COMPILER}" ${OPTIONS} "${SOURCE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)

if(first_line STREQUAL "// compiles")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} must compile, and does not:\n${output}")
  endif()
elseif(first_line MATCHES "^// (expect|first error): (.+)$")
  set(expected "${CMAKE_MATCH_2}")
  if(status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} must not compile, and does")
  endif()
  if(CMAKE_MATCH_1 STREQUAL "first error")
    string(REGEX MATCH "[^\n]*error:?[^\n]*" output "${output}")
  endif()
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "The compiler rejects ${SOURCE}, but without saying '${expected}':\n${output}")
  endif()
else()
  message(FATAL_ERROR "${SOURCE} must start with a line `// expect: REGULAR EXPRESSION`, `// first error: ...` or `// compiles`")
endif()
