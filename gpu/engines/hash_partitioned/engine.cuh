// Includes the hash engine for numbered records with small keys and values, and the general hash engine into
// which it folds: all headers that a .cu file needs for such a task.
#pragma once

#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/hash_partitioned/aggregation.cuh"
