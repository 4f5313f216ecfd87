# How tests of a house become a program of Catch2 and tests of ctest, and how its scripts do.

# Real texts beside the source tree, when they are there; tests that want them say so and pass when they are
# not.
cmake_path(SET data_folder NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../shared/data")
set(duomap_test_environment "")
if(IS_DIRECTORY "${data_folder}")
  list(APPEND duomap_test_environment "DUOMAP_DATA=${data_folder}")
endif()
# Builds that run several times slower: a part of the real texts is enough for them.
if(DUOMAP_SANITIZE OR DUOMAP_TORTURE)
  list(APPEND duomap_test_environment DUOMAP_QUICK=1)
endif()
set(duomap_tests_folder "${CMAKE_CURRENT_LIST_DIR}/../tests")
cmake_path(NORMAL_PATH duomap_tests_folder)
if(DUOMAP_SANITIZE STREQUAL "thread")
  # In quotes, because a space ends an option.
  list(APPEND duomap_test_environment "TSAN_OPTIONS=suppressions='${duomap_tests_folder}/tsan.supp'")
endif()

# Cases that others run in processes of their own are no tests by themselves. Runs in simulated time have one
# thread: the thread sanitizer learns nothing from them in minutes, and the others from [bars], which show how good
# the code is that [faults] shows to be right, nothing more in 90 s of the processor. Of oneTBB alone the thread
# sanitizer reports what it cannot see into, and cases of all there is, [all-values], take long under any.
# What it keeps beside each byte counts as memory of the process: 335 MB where [own-memory] asks for 64 MiB.
set(duomap_host_tests "~[gpu]~[own-process]")
if(DUOMAP_SANITIZE STREQUAL "thread")
  string(APPEND duomap_host_tests "~[bars]~[faults]~[plain-tbb]~[all-values]~[own-memory]")
elseif(DUOMAP_SANITIZE OR DUOMAP_TORTURE)
  string(APPEND duomap_host_tests "~[bars]~[all-values]")
endif()
set(duomap_skipped_without_gpu "skipped, there is no GPU")

# Debian's python3 is the one that sees the references of packages.txt; another one may come first in PATH.
find_program(DUOMAP_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(DUOMAP_PYTHON python3 REQUIRED)
mark_as_advanced(DUOMAP_PYTHON)

include(Catch)

# duomap_test_files(<variable>): the files of tests below the current folder that say something in this build.
function(duomap_test_files variable)
  set(patterns *_test.cpp)
  if(DUOMAP_HAS_CUDA)
    list(APPEND patterns *.cu)
  endif()
  duomap_sources(files ${patterns})
  if(DUOMAP_FAST_COMPILE STREQUAL "ALL")
    # CI's build with nvcc: a file that names nothing of a GPU says the same in the build without it.
    foreach(file IN LISTS files)
      file(STRINGS "${file}" of_gpus REGEX "\\[gpu\\]|HAS_CUDA|cuda|include \"gpu/|doctor" LIMIT_COUNT 1)
      if(NOT of_gpus)
        list(REMOVE_ITEM files "${file}")
      endif()
    endforeach()
  endif()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Catch2's session, which takes 19 s of the processor to optimise, once for all programs.
function(duomap_catch_session)
  if(NOT TARGET duomap_catch_session)
    add_library(duomap_catch_session OBJECT "${duomap_tests_folder}/main.cpp")
    target_link_libraries(duomap_catch_session PUBLIC Catch2::Catch2 duomap::duomap PRIVATE duomap_warnings)
    target_compile_options(duomap_catch_session PRIVATE -O0)
  endif()
endfunction()

# duomap_add_test_program(<name> <source>... [ROOM <regex>]): each test case is a test of ctest by itself, those of tag
# [gpu] with the label gpu. ROOM as in duomap_join_sources().
function(duomap_add_test_program name)
  cmake_parse_arguments(arg "" "ROOM" "" ${ARGN})
  duomap_catch_session()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:duomap_catch_session>)
  target_link_libraries(${name} PRIVATE duomap::duomap duomap_warnings Catch2::Catch2)
  set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${DUOMAP_TEST_CUDA_ARCHITECTURES}")
  # Test files of a folder are compiled together: each has a namespace of its own, named after the file. Catch2 and
  # the task model are precompiled for all of them.
  duomap_join_sources(${name} IN_TENS ROOM "${arg_ROOM}")
  duomap_precompile_facade(${name})
  if(DUOMAP_UNITY)
    target_precompile_headers(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${duomap_tests_folder}/catch.hpp>)
  endif()
  # Compiling the tests takes longer than running them: of a Release build with -O1, two thirds of the time.
  if(DUOMAP_FAST_COMPILE STREQUAL "ALL")
    # Most cases of CI's build with nvcc are of a GPU that is not there.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
  if(NOT DUOMAP_SANITIZE)
    catch_discover_tests(${name} TEST_SPEC "${duomap_host_tests}" TEST_LIST ${name}_on_host)
  endif()
  catch_discover_tests(${name} TEST_SPEC "[gpu]" TEST_LIST ${name}_on_gpu)
  # A file that ctest reads after the list of test cases: properties with list values do not survive
  # catch_discover_tests. And when the list is empty (two test cases of one name make the program refuse to
  # start), the program itself is the test, which fails and shows why, instead of "all passed".
  # Under a sanitizer the host cases of one file are one test, as the program names its files when ctest asks: starting
  # it takes 0.2 s of the processor under the address sanitizer and 0.05 under the thread sanitizer, which 870 cases
  # would pay one by one instead of 135 files.
  set(properties_file "${CMAKE_CURRENT_BINARY_DIR}/${name}_properties.cmake")
  file(CONFIGURE OUTPUT "${properties_file}" @ONLY CONTENT [[
set(program "@CMAKE_CURRENT_BINARY_DIR@/@name@")
set(seconds 300)
if(NOT "@DUOMAP_SANITIZE@" STREQUAL "")
  set(seconds 600)
  execute_process(COMMAND "${program}" --filenames-as-tags --list-tags "@duomap_host_tests@" OUTPUT_VARIABLE tags)
  string(REGEX MATCHALL "#[A-Za-z0-9_]+" files "${tags}")
  foreach(file IN LISTS files)
    string(SUBSTRING "${file}" 1 -1 test)
    add_test("@name@.${test}" "${program}" --filenames-as-tags "[${file}]@duomap_host_tests@")
    list(APPEND @name@_on_host "@name@.${test}")
  endforeach()
endif()
if(@name@_on_host)
  set_tests_properties(${@name@_on_host} ${@name@_on_gpu} PROPERTIES
    ENVIRONMENT "@duomap_test_environment@" TIMEOUT ${seconds})
  # One at a time has the device and its memory; what tests/support/no_gpu.hpp says is no failure and no success.
  if(@name@_on_gpu)
    set_tests_properties(${@name@_on_gpu} PROPERTIES
      LABELS gpu RESOURCE_LOCK gpu SKIP_REGULAR_EXPRESSION "@duomap_skipped_without_gpu@")
  endif()
else()
  add_test(@name@ "${program}")
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${properties_file}")
endfunction()

# duomap_add_scripts(<script>...): scripts that drive the real program, given as $DUOMAP; exit status 77 means skipped.
function(duomap_add_scripts)
  foreach(script IN LISTS ARGN)
    cmake_path(GET script STEM name)
    cmake_path(GET script EXTENSION LAST_ONLY extension)
    set(interpreter bash)
    if(extension STREQUAL ".py")
      set(interpreter "${DUOMAP_PYTHON}")
    endif()
    add_test(NAME cli.${name} COMMAND ${interpreter} "${script}")
    set_tests_properties(cli.${name} PROPERTIES
      # Threads of NumPy's own wait for each other when scripts share the cores: 30 to 65 s for pca.py instead of 8, on 2 busy cores.
      ENVIRONMENT "DUOMAP=$<TARGET_FILE:duomap>;OPENBLAS_NUM_THREADS=1;${duomap_test_environment}"
      SKIP_RETURN_CODE 77
      TIMEOUT 300
      # Started before the unit tests: a script of 100 s (wordcount_gnu, torture) that began last would keep one core.
      COST 1)
  endforeach()
endfunction()
