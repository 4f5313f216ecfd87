# g++'s garbage collection takes up to a tenth of its time. If each core has 6 GB of memory, g++ need not
# collect garbage below 2 GB. The largest file, tests/conformance in a torture build, then takes 3.6 GB
# instead of 2.3.
cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR megabytes_per_core "${megabytes} / ${cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND megabytes_per_core GREATER_EQUAL 6000)
  add_compile_options(
    $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=2000000>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=--param=ggc-min-heapsize=2000000>)
endif()
