# Warns a project that uses duomap without a build type: by default CMake compiles without optimisation, and
# the project's tasks run some 20 times slower.
get_property(duomap_has_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT duomap_has_configurations AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "-O[1-9fgs]")
  message(WARNING
    "duomap: CMAKE_BUILD_TYPE is empty, so this project is compiled without optimisation and its tasks run some 20 "
    "times slower. Configure with -DCMAKE_BUILD_TYPE=Release.")
endif()
unset(duomap_has_configurations)
