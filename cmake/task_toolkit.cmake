# Writes the file task_toolkit, which tells `duomap run HEADER` how to compile a task as this build does
# (apps/commands/own_task/toolkit.hpp). One lies beside the built program, another is installed. {prefix}
# stands for the folder of the installation, {cuda} for the CUDA Toolkit on the user's machine.
string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
list(APPEND flags -std=c++20)
if(DUOMAP_SANITIZE)
  list(APPEND flags "-fsanitize=${sanitizers}")
endif()
set(definitions "$<TARGET_PROPERTY:duomap_core,INTERFACE_COMPILE_DEFINITIONS>" "DUOMAP_HAS_CUDA=${DUOMAP_HAS_CUDA}")
set(common "compiler ${CMAKE_CXX_COMPILER}\n")
foreach(flag IN LISTS flags)
  string(APPEND common "flag ${flag}\n")
endforeach()
string(APPEND common "flag -D$<JOIN:${definitions},\nflag -D>\n")

# Libraries from outside follow duomap's own, which need them. oneTBB is given by its name, because updates
# change the name of its file.
set(outside "-L$<TARGET_FILE_DIR:TBB::tbb>" -ltbb ${duomap_hwloc_LINK_LIBRARIES})
if(ZLIB_FOUND)
  list(APPEND outside ${ZLIB_LIBRARIES})
endif()
foreach(name IN LISTS duomap_decompressors_found)
  list(APPEND outside ${duomap_${name}_LINK_LIBRARIES})
endforeach()
if(DUOMAP_HAS_CUDA)
  list(APPEND outside "-L{cuda}/lib64" "-L{cuda}/lib" -lcudart_static -ldl -lrt)
  # Compiles device code only for the user's own GPUs: code for all GPUs would take minutes.
  separate_arguments(nvcc_flags UNIX_COMMAND "${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${config}}")
  list(APPEND nvcc_flags -std=c++20 --expt-relaxed-constexpr -Werror=cross-execution-space-call -arch=native)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH cuda_folder)
  string(APPEND common "cuda ${cuda_folder}\nnvcc {cuda}/bin/nvcc\n")
  foreach(flag IN LISTS nvcc_flags)
    string(APPEND common "nvcc_flag ${flag}\n")
  endforeach()
  string(APPEND common "nvcc_flag -D$<JOIN:${definitions},\nnvcc_flag -D>\n")
endif()
list(APPEND outside -pthread)

set(built "")
set(installed "")
foreach(name IN ITEMS program report scheduler gpu cpu core)
  get_target_property(type duomap_${name} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(APPEND built "link $<TARGET_FILE:duomap_${name}>\n")
    string(APPEND installed "link {prefix}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:duomap_${name}>\n")
  endif()
endforeach()
list(JOIN outside "\nlink " outside)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/task_toolkit"
  CONTENT "${common}include ${PROJECT_SOURCE_DIR}\n${built}link ${outside}\n")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/installed/task_toolkit"
  CONTENT "${common}include {prefix}/${CMAKE_INSTALL_INCLUDEDIR}/duomap\n${installed}link ${outside}\n")
install(FILES "${PROJECT_BINARY_DIR}/installed/task_toolkit" DESTINATION lib/duomap)
