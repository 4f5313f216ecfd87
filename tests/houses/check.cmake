# Installs DUOMAP_BUILD below WORK, and builds numeric and bench against it, without optimisation:
# other tests check their results, together with duomap.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
foreach(component IN ITEMS development program houses)
  run("${CMAKE_COMMAND}" --install "${DUOMAP_BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix" --component ${component})
endforeach()

# build_house(<house>): uses the installed duomap, but no installed file of the house itself.
function(build_house house)
  run("${CMAKE_COMMAND}" -S "${DUOMAP_SOURCE}/${house}" -B "${WORK}/${house}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0" "-DCMAKE_PREFIX_PATH=${WORK}/prefix" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${WORK}/${house}")
endfunction()

build_house(numeric)
run("${WORK}/numeric/tests/duomap_numeric_tests" "[numeric],matmul*")
build_house(bench -DDUOMAP_TESTS=OFF)
run("${WORK}/bench/duomap-bench" bench)
