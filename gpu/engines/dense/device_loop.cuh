// Includes the resident loop for all tasks of the dense engine. A .cu file that includes this header
// instantiates make_resident() for its task (gpu/make_resident.hpp).
#pragma once

#include "gpu/engines/dense/all_passes.cuh"
#include "gpu/engines/dense/dense_loop.cuh"
