# Builds and runs the consumer project in WORK, from scratch: WAY installed, against an install tree of
# DUOMAP_BUILD, or embedded, with DUOMAP_SOURCE as a part of it. NUMERIC: with the component numeric.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}")

if(WAY STREQUAL "installed")
  run("${CMAKE_COMMAND}" --install "${DUOMAP_BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix")
  if(CUDA_COMPILER)
    list(APPEND configure "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DCMAKE_CUDA_ARCHITECTURES=75-virtual)
  endif()
  run(${configure} "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DNUMERIC=${NUMERIC}")
else()
  # The library is compiled once more here: without CUDA, and not optimised, which nothing else builds.
  run(${configure} -DCMAKE_BUILD_TYPE=Debug "-DDUOMAP_SOURCE=${DUOMAP_SOURCE}" -DDUOMAP_CUDA=OFF)
endif()
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
if(NUMERIC)
  run("${WORK}/build/numeric_consumer")
endif()
