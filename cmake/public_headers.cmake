# The headers that programs may include. All others are details, which change without a note; of these, those are
# installed that a public header includes, itself or through others.

set(duomap_public_headers
  duomap.hpp
  core/deterministic.hpp
  core/input/bus_error_handler.hpp
  core/input/input_texts.hpp
  core/output/result_file.hpp
  core/output/table_writer.hpp
  core/partial/stored/stored_partial.hpp
  core/resident_loop.hpp
  core/text/number.hpp
  core/text_place.hpp
  core/verify/verify.hpp
  core/version.hpp
  gpu/blas/device_product.cuh
  gpu/device/device.hpp
  gpu/feed/page_lock.hpp
  gpu/feed/shared_parts.hpp
  gpu/feed/shared_rows.cuh
  gpu/gpu_backend.cuh
  gpu/engines/all.cuh
  gpu/engines/dense/device_loop.cuh
  gpu/engines/dense/engine.cuh
  gpu/engines/dense/ordered/engine.cuh
  gpu/engines/hash/engine.cuh
  gpu/engines/hash_partitioned/engine.cuh
  gpu/engines/top_k/engine.cuh
  gpu/engines/sort/engine.cuh
  gpu/engines/custom/engine.cuh
  gpu/engines/custom/placed_output.cuh
  gpu/make_resident.hpp
  gpu/options.hpp
  scheduler/chained_run.hpp
  scheduler/iterative/iterative_job.hpp
  scheduler/map_partial.hpp
  scheduler/report/explain.hpp
  scheduler/report/steps_report.hpp
  scheduler/report/trace.hpp)

# Those of the numeric library.
set(duomap_public_numeric_headers
  apps/algorithms/kmeans/kmeans.hpp
  apps/algorithms/knn/knn.hpp
  apps/algorithms/matmul/matmul.hpp
  apps/algorithms/naivebayes/naivebayes.hpp
  apps/algorithms/numeric/cpu_product.hpp
  apps/algorithms/numeric/read_table.hpp
  apps/algorithms/numeric/write_table.hpp
  apps/algorithms/pca/pca.hpp
  apps/algorithms/similarity/bag_of_words.hpp
  apps/algorithms/similarity/similarity.hpp
  apps/algorithms/svm/svm.hpp)

# What makes a program of a task.
set(duomap_public_program_headers apps/cli/task_main.hpp)

# duomap_with_included(<variable> <header>...): the headers, relative to the source folder, and all that they include
# of the project.
function(duomap_with_included variable)
  set(all "")
  set(next ${ARGN})
  while(next)
    list(POP_FRONT next header)
    if(header IN_LIST all)
      continue()
    endif()
    list(APPEND all "${header}")
    # Read again when an include changes; some are read already (cmake/version.cmake), and ninja wants each once.
    cmake_path(SET path NORMALIZE "${PROJECT_SOURCE_DIR}/${header}")
    get_property(read DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
    if(NOT path IN_LIST read)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    endif()
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" lines REGEX "^#include \"")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" included "${line}")
      if(EXISTS "${PROJECT_SOURCE_DIR}/${included}")
        list(APPEND next "${included}")
      endif()
    endforeach()
  endwhile()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

# duomap_install_headers(<header>...): into folders of the same names.
function(duomap_install_headers)
  foreach(header IN LISTS ARGN)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/duomap/${folder}")
  endforeach()
endfunction()
