# Programs may include these headers. All others are details, which may change without a note. A detail is
# installed only if a public header includes it, directly or through other headers.

set(duomap_public_headers
  duomap.hpp
  core/deterministic.hpp
  core/input/bus_error_handler.hpp
  core/input/input_texts.hpp
  core/output/result_file.hpp
  core/output/table_writer.hpp
  core/partial/stored/stored_check.hpp
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

# The public headers of the numeric library.
set(duomap_public_numeric_headers
  numeric/kmeans/kmeans.hpp
  numeric/knn/knn.hpp
  numeric/matmul/matmul.hpp
  numeric/naivebayes/naivebayes.hpp
  numeric/common/cpu_product.hpp
  numeric/common/read_table.hpp
  numeric/common/write_table.hpp
  numeric/pca/pca.hpp
  numeric/similarity/bag_of_words.hpp
  numeric/similarity/similarity.hpp
  numeric/svm/svm.hpp)

# The public header for making a program of a task.
set(duomap_public_program_headers apps/cli/task_main.hpp)

# The public header for grouping the rows of tables.
set(duomap_public_tasks_headers apps/tasks/table/aggregate_tables.hpp)

# Details that the numeric library, its commands and the benchmarks include. They are installed only to build
# these against an installed duomap (cmake --install --component houses), and may change.
set(duomap_house_headers
  core/begin_progress.hpp
  core/input/compression.hpp
  core/input/mapped_file.hpp
  core/input/memory_source.hpp
  core/output/json_text.hpp
  core/path_problem.hpp
  core/seconds_text.hpp
  cpu/blas/ordered_product.hpp
  cpu/cores.hpp
  cpu/features.hpp
  cpu/host_memory.hpp
  cpu/numa_node.hpp
  cpu/processor.hpp
  cpu/scan/list_positions.hpp
  cpu/tbb_pool.hpp
  cpu/vector_lanes.hpp
  gpu/device/driver_status.hpp
  gpu/device/provider.hpp
  gpu/feed/device_memory.hpp
  gpu/feed/feed_policy.hpp
  gpu/run_resident.cuh
  gpu/run_resident.hpp
  gpu/runtime/graph.cuh
  gpu/runtime/launch_together.cuh
  gpu/runtime/memory_peak.hpp
  scheduler/dispatch/execute.hpp
  scheduler/history/executor_set_history.hpp
  scheduler/history/program_build.hpp
  scheduler/models/best_split.hpp
  scheduler/report/append_timeline.hpp
  apps/cli/application_group.hpp
  apps/cli/command_line.hpp
  apps/cli/console.hpp
  apps/cli/old_names.hpp
  apps/cli/options.hpp
  apps/cli/other_program.hpp
  apps/cli/ticker.hpp
  apps/report/build_text.hpp
  apps/report/html_report.hpp
  apps/report/memory.hpp
  apps/report/quantity.hpp
  apps/report/report_page.hpp
  apps/tasks/aggregate/aggregate.hpp
  apps/tasks/invertedindex/find_links.hpp
  apps/tasks/invertedindex/link_index.hpp
  apps/tasks/stringmatch/matches.hpp
  apps/tasks/stringmatch/pattern_list.hpp
  apps/tasks/stringmatch/stringmatch.hpp
  apps/tasks/weblog/count_views.hpp
  apps/tasks/wordcount/wordcount.hpp)

# Details of the numeric library that the benchmarks include.
set(duomap_numeric_house_headers
  numeric/common/matrix.hpp
  numeric/common/openblas.hpp
  numeric/common/ranges.hpp
  numeric/common/sparse_table.hpp
  numeric/common/whole_input.hpp
  numeric/kmeans/kmeans_report.hpp
  numeric/kmeans/kmeans_step.hpp
  numeric/kmeans/moving_centres.hpp
  numeric/knn/nearest_rows.hpp
  numeric/matmul/row_product.hpp
  numeric/naivebayes/category_counts.hpp
  numeric/pca/centred_sums.hpp
  numeric/pca/moments.hpp
  numeric/similarity/similar_pair.hpp)

# duomap_with_included(<variable> <header>...) lists the headers and all headers of the project that these
# include, with paths relative to the source folder.
function(duomap_with_included variable)
  set(all "")
  set(next ${ARGN})
  while(next)
    list(POP_FRONT next header)
    if(header IN_LIST all)
      continue()
    endif()
    list(APPEND all "${header}")
    # CMake must configure again if an include changes. ninja wants each file once; some are known already.
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

# duomap_install_headers([COMPONENT <component> EXCLUDE_FROM_ALL] <header>...) keeps the headers' folders.
function(duomap_install_headers)
  cmake_parse_arguments(arg "EXCLUDE_FROM_ALL" "COMPONENT" "" ${ARGN})
  set(where "")
  if(arg_COMPONENT)
    set(where COMPONENT ${arg_COMPONENT})
  endif()
  if(arg_EXCLUDE_FROM_ALL)
    list(APPEND where EXCLUDE_FROM_ALL)
  endif()
  foreach(header IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/duomap/${folder}" ${where})
  endforeach()
endfunction()
