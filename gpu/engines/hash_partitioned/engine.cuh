// Includes all headers that a .cu file needs for a task over numbered records with small keys and values:
// this variant of the hash engine, and the general hash engine into which it folds.
#pragma once

#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/hash_partitioned/aggregation.cuh"
