# Makes tests of ctest: of test files, which become Catch2 programs, and of scripts.

# Some machines have real texts beside the source tree. Without them, tests that want them say so and pass.
cmake_path(SET data_folder NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../shared/data")
set(duomap_test_environment "")
if(IS_DIRECTORY "${data_folder}")
  list(APPEND duomap_test_environment "DUOMAP_DATA=${data_folder}")
endif()
# These builds run several times slower, so their tests use only a part of the real texts.
if(DUOMAP_SANITIZE OR DUOMAP_TORTURE)
  list(APPEND duomap_test_environment DUOMAP_QUICK=1)
endif()
set(duomap_tests_folder "${CMAKE_CURRENT_LIST_DIR}/../tests")
cmake_path(NORMAL_PATH duomap_tests_folder)
if(DUOMAP_SANITIZE STREQUAL "thread")
  # A space ends an option, so the path has quotes.
  list(APPEND duomap_test_environment "TSAN_OPTIONS=suppressions='${duomap_tests_folder}/tsan.supp'")
endif()

# Tags of cases that some builds leave out. [own-process]: another case runs these in new processes. [bars]
# and [faults] have one thread, so the thread sanitizer learns nothing from them. Other checked builds leave
# out [bars], which only shows how good the code is that [faults] tests, in 90 s. [plain-tbb]: the thread
# sanitizer cannot see into oneTBB. [all-values] takes long under any sanitizer. [own-memory]: the thread
# sanitizer's own memory counts as that of the program.
set(duomap_host_tests "~[gpu]~[own-process]")
if(DUOMAP_SANITIZE STREQUAL "thread")
  string(APPEND duomap_host_tests "~[bars]~[faults]~[plain-tbb]~[all-values]~[own-memory]")
elseif(DUOMAP_SANITIZE OR DUOMAP_TORTURE)
  string(APPEND duomap_host_tests "~[bars]~[all-values]")
endif()
set(duomap_skipped_without_gpu "skipped, there is no GPU")

# Only Debian's python3 sees the Python packages of packages.txt. Another python3 may come first in PATH.
find_program(DUOMAP_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(DUOMAP_PYTHON python3 REQUIRED)
mark_as_advanced(DUOMAP_PYTHON)

include(Catch)

# duomap_test_files(<variable>) lists the test files below the current folder that this build needs.
function(duomap_test_files variable)
  set(patterns *_test.cpp)
  if(DUOMAP_HAS_CUDA)
    list(APPEND patterns *.cu)
  endif()
  duomap_sources(files ${patterns})
  if(DUOMAP_FAST_COMPILE STREQUAL "ALL")
    # This is CI's build with nvcc. Files without GPU code are tested in CI's other build.
    foreach(file IN LISTS files)
      file(STRINGS "${file}" of_gpus REGEX "\\[gpu\\]|HAS_CUDA|cuda|include \"gpu/|doctor" LIMIT_COUNT 1)
      if(NOT of_gpus)
        list(REMOVE_ITEM files "${file}")
      endif()
    endforeach()
  endif()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Compiles Catch2's session once for all programs. Optimising it would take 19 s of processor time.
function(duomap_catch_session)
  if(NOT TARGET duomap_catch_session)
    add_library(duomap_catch_session OBJECT "${duomap_tests_folder}/main.cpp")
    target_link_libraries(duomap_catch_session PUBLIC Catch2::Catch2 duomap::duomap PRIVATE duomap_warnings)
    target_compile_options(duomap_catch_session PRIVATE -O0)
  endif()
endfunction()

# duomap_add_test_program(<name> <source>... [ROOM <regex>]) makes a test of ctest of each test case. Cases
# with the tag [gpu] get the label gpu. ROOM is that of duomap_join_sources().
function(duomap_add_test_program name)
  cmake_parse_arguments(arg "" "ROOM" "" ${ARGN})
  duomap_catch_session()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:duomap_catch_session>)
  target_link_libraries(${name} PRIVATE duomap::duomap duomap_warnings Catch2::Catch2)
  set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${DUOMAP_TEST_CUDA_ARCHITECTURES}")
  # Test files of a folder are compiled together, so each has a namespace of its own, named after the file.
  # Catch2 and the task model are precompiled.
  duomap_join_sources(${name} IN_TENS ROOM "${arg_ROOM}")
  duomap_precompile_facade(${name})
  if(DUOMAP_UNITY)
    target_precompile_headers(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${duomap_tests_folder}/catch.hpp>)
  endif()
  # Compiling the tests takes longer than running them, so -O1 saves time.
  if(DUOMAP_FAST_COMPILE STREQUAL "ALL")
    # In CI's build with nvcc most cases need a GPU, which CI's machine lacks, so speed does not matter.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
  if(NOT DUOMAP_SANITIZE)
    catch_discover_tests(${name} TEST_SPEC "${duomap_host_tests}" TEST_LIST ${name}_on_host)
  endif()
  catch_discover_tests(${name} TEST_SPEC "[gpu]" TEST_LIST ${name}_on_gpu)
  # ctest reads this file after the list of test cases, because catch_discover_tests loses properties with
  # list values. If two cases with the same name stop the program, the list is empty. Then the program itself
  # is the test: it fails and shows why, where ctest would say "all passed". Under a sanitizer, all host cases
  # of a file are one test. The address sanitizer's start takes 0.2 s of processor time, which 135 files pay
  # instead of 870 cases.
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
  # GPU tests take turns, because they share the device's memory. Tests that print this text count as skipped.
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

# duomap_add_scripts(<script>...) makes tests of scripts that start $DUOMAP. Exit status 77 means skipped.
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
      # On 2 busy cores, NumPy's own threads wait for each other: pca.py took up to 65 s instead of 8.
      ENVIRONMENT "DUOMAP=$<TARGET_FILE:duomap>;OPENBLAS_NUM_THREADS=1;${duomap_test_environment}"
      SKIP_RETURN_CODE 77
      TIMEOUT 300
      # Scripts start before unit tests: a long script that began last would keep one core busy alone.
      COST 1)
  endforeach()
endfunction()
