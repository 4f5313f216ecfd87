# Builds and runs the consumer project in the folder WORK. WAY: installed (from an install tree of
# DUOMAP_BUILD) or embedded (DUOMAP_SOURCE is a part of it). NUMERIC: with the component numeric.
# PROGRAM: the duomap that writes a task; may be empty.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Checks that the output of the command matches the regular expression.
function(must_say expected)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE said)
  # CMake breaks the lines of its messages.
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(NOT said MATCHES "${expected}")
    message(FATAL_ERROR "'${expected}' is not what this says: ${ARGN}\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(tools -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}")
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build")

if(WAY STREQUAL "installed")
  run("${CMAKE_COMMAND}" --install "${DUOMAP_BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix")
  if(CUDA_COMPILER)
    list(APPEND tools "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DCMAKE_CUDA_ARCHITECTURES=75-virtual)
  endif()
  must_say("compiled without optimisation .* Configure with -DCMAKE_BUILD_TYPE=Release"
    ${configure} ${tools} "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DNUMERIC=${NUMERIC}")
  run(${configure} ${tools} "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "-DNUMERIC=${NUMERIC}")
else()
  # Compiles the library again, without CUDA and without optimisation, which no other build does.
  if(PROGRAM)
    run("${PROGRAM}" new prices --format fields --reduce own WORKING_DIRECTORY "${WORK}")
    set(new_task "-DNEW_TASK=${WORK}/prices")
  endif()
  run(${configure} ${tools} -DCMAKE_BUILD_TYPE=Debug "-DDUOMAP_SOURCE=${DUOMAP_SOURCE}" -DDUOMAP_CUDA=OFF ${new_task})
endif()
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
if(WAY STREQUAL "embedded" AND PROGRAM)
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/build/new_task" --no-tests=error)
endif()
if(WAY STREQUAL "installed")
  must_say("this_program_lacks_a_cu_file_with_the_gpu_code_of<wordcount>::see_gpu_make_backend_hpp"
    "${CMAKE_COMMAND}" --build "${WORK}/build" --target consumer_without_cu)
endif()
if(WAY STREQUAL "installed" AND NOT CUDA_COMPILER)
  # Builds like a Makefile, with pkg-config.
  file(GLOB_RECURSE module "${WORK}/prefix/*/duomap.pc")
  cmake_path(GET module PARENT_PATH modules)
  set(ENV{PKG_CONFIG_PATH} "${modules}")
  # eval, because pkg-config escapes spaces in paths.
  run(sh -c "eval \"'${COMPILER}' -O1 '${DUOMAP_SOURCE}/apps/examples/wordcount.cpp' -o pkg_config_consumer $(pkg-config --cflags --libs duomap)\""
    WORKING_DIRECTORY "${WORK}")
  file(WRITE "${WORK}/words.txt" "to be or not to be\n")
  must_say("^be 2 to 2 not 1 or 1 $" sh -c "'${WORK}/pkg_config_consumer' '${WORK}/words.txt' | tr '\\t' ' '")
endif()
if(NUMERIC)
  run("${WORK}/build/numeric_consumer")
  run("${WORK}/build/tables_consumer")

  # Runs the commands that `duomap new` prints. CMake finds the package beside the program in PATH.
  run("${WORK}/prefix/bin/duomap" new lengths --format lines --key u64 --reduce collect WORKING_DIRECTORY "${WORK}")
  set(ENV{PATH} "${WORK}/prefix/bin:$ENV{PATH}")
  run("${CMAKE_COMMAND}" -S "${WORK}/lengths" -B "${WORK}/lengths/build" ${tools})
  run("${CMAKE_COMMAND}" --build "${WORK}/lengths/build")
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/lengths/build" --no-tests=error)
  must_say("^number value 3 0 3 4 3 8 $"
    sh -c "'${WORK}/lengths/build/lengths' --device cpu --quiet --format csv '${WORK}/lengths/sample.txt' | tr , ' '")

  # A program made from only the header of a task.
  run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/task" -B "${WORK}/task" ${tools}
    "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  run("${CMAKE_COMMAND}" --build "${WORK}/task")
  file(WRITE "${WORK}/readings.csv" "north,1.5\nsouth,-3\nnorth,0.25\nbroken\nnorth,cold\n")
  # --device cpu, because the installed library may have been built for another GPU.
  execute_process(
    COMMAND "${WORK}/task/sensors" --device cpu --sort key --format csv --verify --quiet "${WORK}/readings.csv"
    OUTPUT_VARIABLE rows COMMAND_ERROR_IS_FATAL ANY)
  set(expected "sensor,count,sum,smallest,largest\nnorth,2,1.75,0.25,1.5\nsouth,1,-3,-3,-3\n")
  if(NOT rows STREQUAL expected)
    message(FATAL_ERROR "expected\n${expected}but got\n${rows}")
  endif()
  must_say("^bytes 6 $"
    sh -c "printf 'a\\0bb/ccc\\0d\\0' | '${WORK}/task/longest_path' --quiet --format csv - | tr '\\n' ' '")
endif()
