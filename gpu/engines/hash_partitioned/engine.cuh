// The hash engine for numbered records with small keys and values, with the general one that it
// folds into: all that a .cu file needs for such a task.
#pragma once

#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/hash_partitioned/aggregation.cuh"
