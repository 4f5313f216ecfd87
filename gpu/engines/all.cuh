// Includes all GPU engines, for a .cu file of many tasks. Every engine that can run a task is then compiled,
// so a .cu file that includes single engines compiles faster.
#pragma once

#include "gpu/engines/custom/engine.cuh"
#include "gpu/engines/dense/engine.cuh"
#include "gpu/engines/dense/ordered/engine.cuh"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/hash_partitioned/engine.cuh"
#include "gpu/engines/sort/engine.cuh"
#include "gpu/engines/top_k/engine.cuh"
