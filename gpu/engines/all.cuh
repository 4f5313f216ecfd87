// All GPU engines, for a .cu file of many tasks. Every engine that can run a task is compiled for it: with
// the headers of single engines a .cu file compiles faster.
#pragma once

#include "gpu/engines/dense/engine.cuh"
#include "gpu/engines/dense/ordered/engine.cuh"
#include "gpu/engines/reduction_object/engine.cuh"
#include "gpu/engines/reduction_object/partitioned/engine.cuh"
#include "gpu/engines/reduction_object/top_k/engine.cuh"
#include "gpu/engines/sort/engine.cuh"
#include "gpu/engines/whole_chunk/engine.cuh"
